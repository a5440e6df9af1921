import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventEffects } from '../../../src/domain/events/effects'
import { root } from '../support/folders'
import { headings, plain, quoted, readText, section, table } from '../support/markdown'

const contract = readText('docs/contract.md')
const schema = (file: string) => JSON.parse(readText(`schemas/${file}`)) as { enum: string[]; properties: object }

/** The chapters of a document by their numbers. */
const chaptersOf = (document: string) =>
  new Set(headings(document).flatMap((text) => /^(?:Annex )?([\dA-Z]+(?:\.\d+)?)\.? /.exec(text)?.[1] ?? []))

/** The chapters that the code cites, as in `(contract 5.5 and 6.3)`, each with its place. */
function cited(): [chapter: string, place: string][] {
  const files = execFileSync('git', ['ls-files', '--', 'src', 'schemas', 'test', 'examples'], {
    cwd: root,
    encoding: 'utf8',
  })
  return files
    .trim()
    .split('\n')
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const places = [...text.matchAll(/\bcontract (\d+(?:\.\d+)?(?:(?:,| and) \d+(?:\.\d+)?)*)/g)]
      return places.flatMap(([, chapters = '']) =>
        chapters.split(/, | and /).map((chapter): [string, string] => [chapter, file]),
      )
    })
}

describe('docs/contract.md', () => {
  it('has each chapter that the code cites', () => {
    const chapters = chaptersOf(contract)
    expect(cited().filter(([chapter]) => !chapters.has(chapter))).toEqual([])
    expect(cited().length).toBeGreaterThan(70)
  })

  const actions = readdirSync(join(root, 'schemas/changes')).map((file) => file.replace('.json', ''))
  const types = schema('shared/events/event-type.json').enum
  const namesIn = (heading: string) => quoted(section(contract, heading)).filter((name) => /^[a-z-]+$/i.test(name))

  // Actions that this package adds are not in the contract; openapi.json describes them.
  it('has the 24 actions of the wire, in the table of payloads and in Annex A', () => {
    const documented = table(contract, '## 4.2 Payloads', 'Action').map(([name = '']) => name)
    expect(new Set(documented).size).toBe(24)
    expect(actions).toEqual(expect.arrayContaining(documented))
    expect(namesIn('# Annex A. Actions').sort()).toEqual(documented.sort())
  })

  it('has the properties of each payload', () => {
    const rows = table(contract, '## 4.2 Payloads', 'Action').filter(([, , text = '']) =>
      /^(?:open|closed) \{/.test(text),
    )
    expect(rows.length).toBeGreaterThan(15)
    for (const [action = '', , text = ''] of rows) {
      const known = propertiesOf(`schemas/changes/${action}.json`)
      const required = [...text.matchAll(/`(\w+)\*`/g)].map(([, name = '']) => name)
      const missing = (requiredOf(`schemas/changes/${action}.json`) ?? []).filter((name) => !required.includes(name))
      expect([action, missing]).toEqual([action, []])
      expect([action, propertiesNamed(text).filter((name) => !known.has(name))]).toEqual([action, []])
    }
  })

  it('has all event types, those of 6.9 and the newer ones', () => {
    const [seed, newer] = [namesIn('# Annex B. Event types'), namesIn('# Annex C. Newer event types')]
    expect([seed.length, newer.length]).toEqual([156, 23])
    expect([...seed, ...newer].sort()).toEqual([...types].sort())
  })

  it('has each event type of change requests', () => {
    const documented = table(contract, '## 8.1 Change request events', 'Type').map(([name = '']) => name)
    expect(documented.sort()).toEqual(types.filter((type) => /^change-/.test(type)).sort())
  })

  it('has the effect of each event on its change request, as the code reads it', () => {
    const effects: { [type: string]: { state: object; schedule?: string; approvals?: string } } = {}
    for (const row of table(contract, '## 8.4 From events to the state', 'Event')) {
      const [names = '', before = '', after = '', schedule, approvals] = row
      const to = (state: string) => (after === 'the same' ? state : after === 'deleted' ? null : after)
      const states = before === 'none' ? [] : before.split(', ').map((state) => [state, to(state)])
      for (const name of names.split(', ')) {
        const state = { ...effects[name]?.state, ...Object.fromEntries(states) }
        effects[name] = { ...effects[name], state, ...(schedule && { schedule }), ...(approvals && { approvals }) }
      }
    }
    expect(effects).toEqual(eventEffects)
  })

  it('names only existing event types', () => {
    const named = [...section(contract, '## 8.2 Flag events of an apply').matchAll(/\b[a-z]+(?:-[a-z]+){1,}\b/g)]
    expect(named.map(([name]) => name).filter((name) => !types.includes(name))).toEqual([])
    expect(named.length).toBeGreaterThan(20)
  })

  it.each([
    ['## 5.1 Single change request', 'shared/change-requests/change-request-unscheduled.json', ['schedule']],
    ['## 9.1 Event, tag, envelope', 'event.json', ['groupType', 'groupId']],
  ])('has the fields of "%s"', (heading, file, others) => {
    const named = table(contract, heading, 'Field').flatMap(([name = '']) => quoted(name))
    const fields = [...propertiesOf(`schemas/${file}`)]
    expect(named.filter((name) => !fields.includes(name) && !others.includes(name))).toEqual([])
    const top = Object.keys(schema(file).properties ?? {})
    expect(top.filter((name) => !named.includes(name))).toEqual([])
    expect(top.length).toBeGreaterThan(10)
  })

  it('has the states, in the order of the schema', () => {
    const [list = ''] = section(contract, '## 6.1 Set').trim().split('. ')
    const { enum: states } = schema('shared/states/state.json')
    expect(plain(list).split(', ')).toEqual(states)
  })
})

/** The required properties of a payload, if the schema of the action lists them itself. */
function requiredOf(file: string): string[] | undefined {
  const { properties } = JSON.parse(readText(file)) as { properties: { payload?: { required?: string[] } } }
  return properties.payload?.required
}

/** Without the mark of the required ones. */
function propertiesNamed(text: string): string[] {
  return quoted(text)
    .map((name) => name.replace(/\*$/, ''))
    .filter((name) => /^\w+$/.test(name))
}

/** The names of all properties in a schema and in those that it refers to. */
function propertiesOf(file: string, found = new Set<string>()): Set<string> {
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties') for (const name of Object.keys(inner as object)) found.add(name)
      if (key === '$ref' && typeof inner === 'string' && inner.endsWith('.json'))
        propertiesOf(join(file, '..', inner), found)
      look(inner)
    }
  }
  look(JSON.parse(readText(file)))
  return found
}
