import { fittingText } from '../../../src/domain/content/size'
import { commentOf } from '../support/change-requests'

describe('fittingText(comments, text, limits)', () => {
  const comments = [commentOf(1, 'ben'), { ...commentOf(2, 'cleo'), text: null }]
  const used = Buffer.byteLength(JSON.stringify(comments.slice(0, 1)))
  const within = (text: string | null, room: number) => fittingText(comments, text, { bytesWithSteps: used + room })

  it.each([
    ['a text that fits', 'whole', 5, 'whole'],
    ['one byte too many', 'whole again', 10, 'whol […]'],
    ['characters of several bytes', '😀😀😀😀', 15, '😀😀 […]'],
    ['characters that JSON escapes', '\n\n\n\n\n\n', 11, '\n\n […]'],
    ['no room for a character', 'whole', 3, null],
    ['no room at all', 'whole', -100, null],
    ['no text', null, 100, null],
  ])('%s', (_, text, room, expected) => {
    expect(within(text, room)).toBe(expected)
  })
})
