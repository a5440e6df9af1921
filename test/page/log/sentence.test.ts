import fc from 'fast-check'
import { summary } from '../../../src/domain/events/event-json'
import { readMarkdown, sentencePieces, shortened } from '../../../src/page/app/screens/log/event/sentence'
import { random } from '../../support/random'

const event = {
  type: 'change-request-applied' as const,
  createdBy: 'kari@example.com',
  project: 'shop',
  environment: 'production',
  featureName: null,
  data: { changeRequestId: 42 },
}

function textOf(parts: { text: string }[]): string {
  return parts.map(({ text }) => text).join('')
}

const summarized = (changes: object = {}) => {
  const changed = { preData: null, tags: [], ...event, ...changes }
  return { ...changed, summary: summary(changed as never, { pageUrl: '', links: {} }) }
}

describe('the text of an event', () => {
  it('is that of the log without project and environment, which have columns', () => {
    expect(textOf(sentencePieces(summarized()))).toBe('kari@example.com applied #42')
  })

  it('keeps the flag, which has no column', () => {
    const pieces = sentencePieces(summarized({ type: 'feature-strategy-update', featureName: 'pay', data: {} }))
    expect(textOf(pieces)).toBe('kari@example.com updated a strategy of flag pay')
  })

  it('names the user as the page does', () => {
    expect(sentencePieces(summarized(), 'Kari Nordmann')[0]).toEqual({ kind: 'strong', text: 'Kari Nordmann' })
  })

  it.each<[string, object, string]>([
    ['at its start', { type: 'feature-updated', featureName: 'kari' }, 'Kari Nordmann updated flag kari'],
    [
      'at its end',
      { type: 'change-request-scheduled-application-success', environment: 'kari' },
      '#42 was applied as scheduled in environment kari, project shop scheduled by Kari Nordmann',
    ],
  ])('names the user, and nothing else with the same name: %s', (_, changes, sentence) => {
    const pieces = sentencePieces(
      summarized({ createdBy: 'kari', data: { changeRequestId: 42 }, ...changes }),
      'Kari Nordmann',
    )
    expect(textOf(pieces).replace(' through change request #42', '')).toBe(sentence)
  })

  it('marks the number of a change request, for a link', () => {
    expect(sentencePieces(summarized())).toContainEqual({ kind: 'request', text: '#42' })
  })

  it('does not confuse the name of a flag with the number of a change request', () => {
    const pieces = sentencePieces(summarized({ type: 'feature-archived', featureName: '#42', data: {} }))
    expect(pieces.at(-1)).toEqual({ kind: 'strong', text: '#42' })
  })

  it.each(['a/b', 'a,b', 'a%2Fb', 'a](b)', '**a**', '{type}', '[#1](x)', '\\', '<b>', '日本'])(
    'shows a flag named %s as it is',
    (featureName) => {
      const pieces = sentencePieces(summarized({ type: 'feature-archived', featureName, data: {} }))
      expect(textOf(pieces)).toBe(`kari@example.com archived flag ${featureName}`)
    },
  )

  it('is the label of the type if there is none', () => {
    expect(textOf(sentencePieces({ ...event, label: 'Change request applied' }))).toBe(
      'kari@example.com Change request applied',
    )
  })

  it('contains a name with any characters unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), (name) => {
        const shown = textOf(sentencePieces(summarized({ createdBy: name })))
        expect(shown).toBe(`${name.replace(/\s+/g, ' ')} applied #42`)
      }),
      random(100),
    )
  })
})

describe('markdown of the log', () => {
  it('never becomes a link to an address in the text', () => {
    expect(readMarkdown('see [here](https://evil.example)')).toEqual([
      { kind: 'text', text: 'see ' },
      { kind: 'strong', text: 'here' },
    ])
  })
})

describe('a long name', () => {
  it('is shortened, and not within a character', () => {
    expect([shortened('short', 5), shortened('too long', 5), shortened('abc😀de', 4)]).toEqual([
      'short',
      'too…',
      'abc…',
    ])
  })
})
