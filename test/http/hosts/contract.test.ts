import { memoryStorage } from '../../../src'
import { describeHttp } from '../../../src/testing'
import { startContractApp } from '../../support/contract-app'
import { databases, type OpenDatabase } from '../../support/databases'
import { forbidAlteringEvents } from '../../support/databases/append-only'
import { isNightly } from '../../support/nightly'
import { isExpress4 } from '../gate/majors'

/**
 * Ids are permanent: a new rule gets a new id, and no rule may be removed or change its meaning. CR-015, CR-631, CR-637
 * and CR-703 must not be reused.
 */
const pinned = {
  MUST: `
  CR-001 CR-002 CR-003 CR-004 CR-005 CR-006 CR-007 CR-009 CR-010 CR-011 CR-012 CR-013 CR-014 CR-016
  CR-017 CR-018 CR-019 CR-020 CR-021 CR-101 CR-102 CR-103 CR-104 CR-105 CR-106 CR-107 CR-108 CR-109 CR-121 CR-122 CR-123
  CR-124 CR-125 CR-126 CR-127 CR-128 CR-129 CR-130 CR-131 CR-132 CR-133 CR-134 CR-135 CR-201 CR-202 CR-203 CR-204 CR-205
  CR-206 CR-207 CR-208 CR-209 CR-210 CR-211 CR-301 CR-302 CR-303 CR-304 CR-305 CR-306 CR-308 CR-309 CR-310
  CR-311 CR-312 CR-321 CR-322 CR-323 CR-324 CR-325 CR-326 CR-331 CR-332 CR-333 CR-334 CR-335 CR-336 CR-337
  CR-351 CR-352 CR-353 CR-354 CR-355 CR-356 CR-357 CR-361 CR-362 CR-363 CR-364 CR-365 CR-366 CR-367 CR-368 CR-369 CR-401 CR-402 CR-403 CR-405 CR-406 CR-407 CR-408 CR-409 CR-410 CR-411 CR-412 CR-413 CR-414 CR-415 CR-416
  CR-417 CR-418 CR-419 CR-420 CR-421 CR-422 CR-431 CR-432 CR-433 CR-434 CR-435 CR-441 CR-442 CR-443 CR-444 CR-445 CR-446
  CR-447 CR-451 CR-452 CR-453 CR-454 CR-461 CR-462 CR-463 CR-464 CR-471 CR-472 CR-473 CR-474 CR-475 CR-476 CR-477 CR-478 CR-479 CR-481 CR-482 CR-483 CR-484 CR-485 CR-486 CR-487 CR-488 CR-489 CR-490 CR-491 CR-492 CR-493 CR-496 CR-497 CR-498 CR-501 CR-502 CR-503
  CR-504 CR-505 CR-506 CR-507 CR-508 CR-511 CR-512 CR-513 CR-514 CR-521 CR-522 CR-523 CR-524 CR-525 CR-526 CR-531 CR-532 CR-533 CR-534 CR-535 CR-541 CR-542 CR-543 CR-544 CR-551 CR-552 CR-553 CR-554 CR-555 CR-601 CR-602 CR-603 CR-604 CR-605 CR-606 CR-607 CR-608 CR-609 CR-610
  CR-611 CR-612 CR-632 CR-633 CR-634 CR-635 CR-636 CR-638 CR-639 CR-640 CR-641 CR-642 CR-643 CR-644 CR-645 CR-701 CR-702
  CR-704 CR-705 CR-706 CR-707 CR-708 CR-721 CR-722 CR-723 CR-724 CR-731 CR-732 CR-733 CR-734 CR-735 CR-736 CR-737 CR-741 CR-742 CR-743
  CR-744 CR-745 CR-801 CR-802 CR-803 CR-804 CR-805 CR-806 CR-807 CR-808 CR-811 CR-812 CR-813 CR-814 CR-815
  CR-816 CR-817 CR-821 CR-822 CR-823 CR-824 CR-825 CR-831 CR-832 CR-833 CR-834 CR-835 CR-836 CR-837 CR-841
  CR-901 CR-902 CR-903 CR-904 CR-905 CR-906 CR-907 CR-908 CR-909
`,
  SHOULD: `
  CR-008 CR-307 CR-338 CR-404 CR-910
`,
}

describe('the rules', () => {
  it('have permanent ids and levels, each once', () => {
    const titles: string[] = []
    const runner = {
      describe: (_: string, body: () => void) => body(),
      it: (title: string) => titles.push(title),
      expect,
    }
    describeHttp(runner, () => Promise.reject(new Error('No rule is run here.')))
    for (const level of ['MUST', 'SHOULD'] as const) {
      const ids = titles.filter((title) => title.split(' ')[1] === level).map((title) => title.split(' ')[0])
      expect(ids.sort()).toEqual(pinned[level].trim().split(/\s+/))
    }
    expect(titles.every((title) => /^CR-\d{3} (?:MUST|SHOULD) [a-z]/.test(title))).toBe(true)
  })
})

/** `npm test` runs the suite once, in memory on Express 5; the databases and Express 4 run it nightly. */
const stores = [{ name: 'memory', open: async () => null }, ...(isNightly ? databases : [])]

describe.each(stores)('on $name, with an append-only log,', ({ open }) => {
  let database: OpenDatabase | null
  let app: Awaited<ReturnType<typeof startContractApp>>

  beforeAll(async () => {
    database = await open()
    if (database !== null) await forbidAlteringEvents(database)
    const options = { recordOnly: true, schedule: 'elsewhere', clock: () => new Date() } as const
    app = await startContractApp(database?.storage ?? memoryStorage(), options, { proposes: !isExpress4 })
  })

  afterAll(async () => {
    await app.close()
    await database?.close()
  })

  // The same host for every rule: no rule may rely on an empty store.
  describeHttp({ describe, it, expect }, async () => ({ ...app.host, runDue: app.runDue }))
})
