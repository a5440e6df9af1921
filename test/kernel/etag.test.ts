import { acceptsTag, containsTag, entityTag, namesRevision } from '../../src/kernel/etag'

describe('the entity tag of a change request', () => {
  it('has its id and its version, and is strong', () => {
    expect(entityTag({ version: 7, changeRequest: { id: 42 } as never })).toBe('"42-7"')
  })
})

describe('If-Match', () => {
  it.each([
    ['"42-7"', true, false, true],
    ['"1-1", "42-7"', true, false, true],
    ['"1-1" ,"42-7" , "2-2"', true, false, true],
    ['*', true, true, false],
    [' * ', true, true, false],
    ['"1-1", *', true, true, true],
    ['"42-8"', false, false, true],
    ['W/"42-7"', false, false, true],
    ['42-7', false, false, true],
    ['', false, false, true],
  ])('%s accepts the tag: %p, accepts any: %p, names a revision: %p', (header, accepts, any, names) => {
    expect([acceptsTag(header, '"42-7"'), acceptsTag(header, '*'), namesRevision(header)]).toEqual([
      accepts,
      any,
      names,
    ])
  })

  it('names no revision if it is missing', () => {
    expect(namesRevision(undefined)).toBe(false)
  })
})

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b" ,W/"a", "c"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
    [undefined, false],
  ])('%p contains the tag: %p', (header, contains) => {
    expect(containsTag(header, '"a"')).toBe(contains)
  })
})
