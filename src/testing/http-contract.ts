import { answers } from './http-contract-answers'
import { applying } from './http-contract-apply'
import { editing } from './http-contract-edit'
import { eventSearch } from './http-contract-event-search'
import { events } from './http-contract-events'
import type { HttpHost } from './http-contract-host'
import { keys } from './http-contract-keys'
import { lists } from './http-contract-lists'
import { privacy } from './http-contract-privacy'
import { proposing } from './http-contract-propose'
import { reading } from './http-contract-read'
import { resets } from './http-contract-resets'
import { review } from './http-contract-review'
import type { Rule } from './http-contract-rule'
import { settings } from './http-contract-settings'
import { tags } from './http-contract-tags'
import { talk } from './http-contract-talk'
import { transitions } from './http-contract-transitions'
import { World } from './http-contract-world'
import type { Runner } from './runner'

const groups = [
  proposing,
  reading,
  lists,
  editing,
  review,
  transitions,
  resets,
  applying,
  privacy,
  tags,
  keys,
  settings,
  talk,
  events,
  eventSearch,
  answers,
]

/**
 * Describes what clients rely on over HTTP as rules for a mounted router, one test each: `CR-001 MUST ...`. A host runs
 * it against its own mount, with its own authentication, permissions and flags. CR-014 needs the router mounted before
 * the body parsers of the host; where they come first, {@link HttpHost.parsesBodies} says so.
 *
 * @param makeHost Gives the server for one rule: a fresh one, or the same again.
 *
 * @example
 * ```ts
 * async function startMine(): Promise<HttpHost> {
 *   throw new Error('start your server, and tell where it answers and who calls')
 * }
 * describeHttp({ describe, it, expect }, startMine)
 * ```
 */
export function describeHttp({ describe, it, expect }: Runner, makeHost: () => Promise<HttpHost>): void {
  describe('change requests over HTTP', () => {
    for (const { title, rules } of groups) {
      describe(title, () => {
        for (const rule of rules) {
          it(`${rule.id} ${rule.level} ${rule.sentence}`, () => holds(rule, expect, makeHost))
        }
      })
    }
  })
}

async function holds({ check }: Rule, expect: Runner['expect'], makeHost: () => Promise<HttpHost>): Promise<void> {
  const host = await makeHost()
  try {
    const world = new World(host)
    await world.prepare()
    try {
      await check(world, expect)
    } finally {
      await world.leave()
    }
  } finally {
    await host.close()
  }
}
