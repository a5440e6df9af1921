import { idempotencyCutoff } from '../../src/domain/instants'

describe('idempotencyCutoff(now)', () => {
  it('is 24 hours earlier', () => {
    expect(idempotencyCutoff('2026-03-01T12:00:00.000Z')).toBe('2026-02-28T12:00:00.000Z')
  })
})
