import { payloadProblem } from '../../../src/page/app/screens/flag/model/payload-problem'

describe('what is wrong with the payload of a variant', () => {
  it.each([
    ['json', '{"a": [1]}', undefined],
    ['json', '{"a":', 'This is not JSON yet.'],
    ['number', '-1.5e3', undefined],
    ['number', '1,5', 'This is not a number yet, such as 1.5.'],
    ['number', ' ', 'This is not a number yet, such as 1.5.'],
    ['csv', 'a,"b ""c"", d"\n1,2', undefined],
    ['csv', 'a,"b', 'This is not CSV yet, such as a,b or "a,b",c.'],
    ['string', '', undefined],
    ['constructor', 'x', undefined],
  ])('%s %j: %s', (type, value, problem) => {
    expect(payloadProblem(type, value)).toBe(problem)
  })
})
