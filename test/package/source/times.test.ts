import { files } from '../support/source-files'

/** A name of a time, next to a comparison with an order. */
const time = String.raw`(?:[\w.?()[\]]*\.)?(?:\w*(?:At|Until|Since|Times?|Date|_at|_since|_until)|at|until|from|since|now|time)(?:\(\))?`
const order = '(?:<=?|>=?)'
const compared = new RegExp(String.raw`(?<![\w.?])${time} ${order} \S|\S ${order} ${time}(?![\w(.])`)
/** Sorts texts: a time among them is compared as a text. */
const sorted = /(?:At|Until|Since|Times?|moments?|times)\b.*\.(?:sort|toSorted)\(\)|localeCompare/
/** These are numbers: instants, and clocks of the process. */
const numbers = /\b(?:instantOf|byInstant|scheduledInstant|Date\.parse|Date\.now|performance\.now)\(|\.getTime\(\)/

/** The lines that compare times, other than as instants. */
function comparisons(sources: ReadonlyMap<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !/^(?:\*|\/\*|\/\/|import |readonly )/.test(line) && !numbers.test(line))
      .filter((line) => compared.test(line) || sorted.test(line))
      .map((line) => `${file}: ${line}`),
  )
}

/** The page shows times, and decides nothing by them. */
const sources = new Map([...files].filter(([file]) => !/^(?:generated|testing|page\/app)\//.test(file)))
const isOfStorage = (line: string) => line.startsWith('storage/')

/** Outside of storages, these lines compare clocks of the process, ids and versions. */
const otherNumbers = [
  'capabilities/schedule/pauses.ts: for (const [key, { until }] of this.#pauses) if (until < past) this.#pauses.delete(key)',
  'capabilities/schedule/pauses.ts: if (this.#prunedAt > past) return',
  'cli/database/schema.ts: const pending = from < latestVersion',
  'domain/steps/requirements.ts: if (upToDate > given) {',
  'gate/described-places.ts: if (now >= loggedAt && now < loggedAt + pauseMs) return logger.debug(facts, message)',
  'kernel/log/position.ts: if (from > lastId) {',
]

/**
 * Storages compare texts, or timestamps of the database. Only the years 1 to 9999 of UTC are stored, whose texts have the order of
 * their instants.
 */
const linesOfStorages = {
  'storage/memory/consumers.ts': 1,
  'storage/memory/due.ts': 6,
  'storage/memory/events.ts': 3,
  'storage/memory/records.ts': 2,
  'storage/memory/rows.ts': 3,
  'storage/sql/events/event-filter.ts': 3,
  'storage/sql/migration-sql.ts': 1,
  'storage/sql/postgres/commit-rare.ts': 2,
  'storage/sql/postgres/open-transaction.ts': 1,
  'storage/sql/queries/consumers.ts': 2,
  'storage/sql/queries/due.ts': 5,
  'storage/sql/queries/reads.ts': 1,
  'storage/sql/sqlite/writes.ts': 2,
}

describe('a comparison of times in src', () => {
  it('compares instants, outside of storages', () => {
    expect(
      comparisons(sources)
        .filter((line) => !isOfStorage(line))
        .sort(),
    ).toEqual(otherNumbers)
  })

  it('is one of these in a storage', () => {
    const counts: Record<string, number> = {}
    for (const line of comparisons(sources).filter(isOfStorage)) {
      const [file = ''] = line.split(': ')
      counts[file] = (counts[file] ?? 0) + 1
    }
    expect(counts).toEqual(linesOfStorages)
  })

  it('is detected', () => {
    const lines = ['if (freeze.from <= at) return true', 'times.sort((one, other) => one.at.localeCompare(other.at))']
    const instants = ['if (instantOf(freeze.from) <= instantOf(at)) return true', '// until <= now']
    const found = comparisons(new Map([['domain/planted.ts', [...lines, ...instants].join('\n')]]))
    expect(found).toEqual(lines.map((line) => `domain/planted.ts: ${line}`))
  })
})
