import { isProduction, reachOf } from '../../../src/page/app/core/tools/production'

describe('reachOf(request)', () => {
  it.each([
    ['development', [{}], [], false],
    ['all environments', [], [{}], true],
    ['development (segments: all environments)', [{}], [{}], true],
    ['development', [], [], false],
  ])('is %s, which a change of a segment makes live', (reach, features, segments, isLive) => {
    expect(reachOf({ environment: 'development', features, segments })).toBe(reach)
    expect(isProduction(reach)).toBe(isLive)
  })
})
