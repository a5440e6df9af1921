import { ownTitle, requestName } from '../../../src/page/app/words/request-name'

describe('the name of a change request', () => {
  it.each([
    ['Half of all searches', 'Half of all searches', '#11 Half of all searches'],
    ['Fix #11 ', 'Fix #11 ', '#11 Fix #11 '],
    ['Change request #11', '', '#11'],
    ['Change request #12', 'Change request #12', '#11 Change request #12'],
    [null, '', '#11'],
  ])('of the title %j has its number once', (title, own, name) => {
    expect(ownTitle({ id: 11, title })).toBe(own)
    expect(requestName({ id: 11, title })).toBe(name)
  })
})
