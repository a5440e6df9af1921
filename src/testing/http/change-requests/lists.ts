import { must, type RuleGroup } from '../rule'
import { granted, type Json, refusal, type World } from '../world'

const idsOf = (list: Json[]): number[] => list.map(({ id }) => id)

const listed = async (world: World, below: string, who: 'author' | 'reviewer' = 'author'): Promise<Json[]> =>
  granted(await world.get(world.path(below), who)).body

const search = async (world: World, query: string): Promise<Json> =>
  granted(await world.get(`/search/change-requests${query}`)).body

const numbers = async (world: World): Promise<Json> => granted(await world.get(world.path('count'))).body

const actionable = async (world: World, who: 'author' | 'reviewer'): Promise<number> =>
  granted(await world.get(world.path('actionable'), who)).body.total

export const lists: RuleGroup = {
  title: 'lists, counts and the search',
  rules: [
    must('CR-121', 'list the change requests of the project in all states, newest first', async (world, expect) => {
      const closed = await world.inState('Cancelled')
      const { id } = await world.draft()
      const list = await listed(world, '')
      expect(idsOf(list).slice(0, 2)).toEqual([id, closed.id])
      const { stateTimestamps: _, ...shape } = await world.read(id)
      expect(list[0]).toEqual(shape)
    }),

    must('CR-122', "list the caller's own ones as pending while they take changes", async (world, expect) => {
      const { id } = await world.draft()
      const seen = [idsOf(await listed(world, 'pending'))]
      for (const [who, state] of [
        ['author', 'In review'],
        ['reviewer', 'Approved'],
        ['reviewer', 'Applied'],
      ] as const) {
        granted(await world.move(who, id, state))
        seen.push(idsOf(await listed(world, 'pending')))
      }
      expect(seen).toEqual([[id], [id], [id], []])
    }),

    must('CR-123', 'leave those of other people out of pending', async (world, expect) => {
      const { id } = await world.inReview()
      expect(idsOf(await listed(world, 'pending', 'reviewer')).includes(id)).toBe(false)
    }),

    must('CR-124', 'leave an environment that is switched off out of pending', async (world, expect) => {
      await world.draft()
      await world.settings({ changeRequestsEnabled: false })
      expect(await listed(world, 'pending')).toEqual([])
    }),

    must('CR-125', 'answer open as it answers pending', async (world, expect) => {
      await world.draft()
      expect(await listed(world, 'open')).toEqual(await listed(world, 'pending'))
    }),

    must('CR-126', "list anybody's open ones by flag", async (world, expect) => {
      const { id } = await world.inReview()
      const found = await listed(world, `pending/${world.feature}`, 'reviewer')
      expect(idsOf(found).includes(id)).toBe(true)
      expect(idsOf(await listed(world, 'pending/some-other-flag', 'reviewer')).includes(id)).toBe(false)
      granted(await world.move('author', id, 'Cancelled'))
      expect(idsOf(await listed(world, `pending/${world.feature}`, 'reviewer')).includes(id)).toBe(false)
    }),

    must('CR-127', 'count by state; a Draft and a cancelled one count in the total alone', async (world, expect) => {
      const buckets = {
        Draft: [],
        'In review': ['reviewRequired'],
        Approved: ['approved'],
        Applied: ['applied'],
        Rejected: ['rejected'],
        Cancelled: [],
      } as const
      for (const [state, names] of Object.entries(buckets)) {
        const before = await numbers(world)
        const { id } = await world.inState(state)
        const grown = Object.fromEntries(['total', ...names].map((name) => [name, before[name] + 1]))
        expect([state, await numbers(world)]).toEqual([state, { ...before, ...grown }])
        await world.move('author', id, 'Cancelled')
      }
    }),

    must('CR-128', 'count as actionable what the caller can approve or apply', async (world, expect) => {
      const before = [await actionable(world, 'author'), await actionable(world, 'reviewer')]
      const { id } = await world.inReview({ approvals: 2 })
      const counted = async () => [
        (await actionable(world, 'author')) - (before[0] ?? 0),
        (await actionable(world, 'reviewer')) - (before[1] ?? 0),
      ]
      const inReview = await counted()
      granted(await world.move('reviewer', id, 'Approved'))
      const halfWay = await counted()
      granted(await world.move('reviewer2', id, 'Approved'))
      expect([inReview, halfWay, await counted()]).toEqual([
        [0, 1],
        [0, 0],
        [1, 1],
      ])
    }),

    must('CR-129', 'find change requests by author and by whether they are open', async (world, expect) => {
      const { id, createdBy } = await world.inReview()
      const by = `?createdBy=IS:${createdBy.id}&limit=1000`
      const open = await search(world, `${by}&state=IS:open`)
      const closed = await search(world, `${by}&state=IS:closed`)
      expect([idsOf(open.changeRequests).includes(id), idsOf(closed.changeRequests).includes(id)]).toEqual([
        true,
        false,
      ])
      const other = await search(world, `?createdBy=IS:${Number.MAX_SAFE_INTEGER}`)
      expect(other).toEqual({ changeRequests: [], total: 0 })
    }),

    must('CR-130', 'show of each result where it is, whose it is and what it is about', async (world, expect) => {
      const { id, createdBy, createdAt, state } = await world.inReview()
      const { changeRequests } = await search(world, `?createdBy=IS:${createdBy.id}&state=IS:open`)
      const item = changeRequests.find((one: Json) => one.id === id)
      expect({ ...item, createdBy: item.createdBy.id }).toEqual({
        id,
        environment: world.environment,
        project: world.project,
        createdBy: createdBy.id,
        createdAt,
        features: [world.feature],
        segments: [],
        state,
      })
    }),

    must('CR-131', 'page through what it finds, newest first, with the total of all', async (world, expect) => {
      await world.inState('Cancelled')
      const { id, createdBy } = await world.draft()
      const by = `?createdBy=IS:${createdBy.id}`
      const [both, first, second] = [
        await search(world, `${by}&limit=2`),
        await search(world, `${by}&limit=1`),
        await search(world, `${by}&limit=1&offset=1`),
      ]
      expect(both.changeRequests[0].id).toBe(id)
      expect([...first.changeRequests, ...second.changeRequests]).toEqual(both.changeRequests)
      expect([first.total, second.total]).toEqual([both.total, both.total])
    }),

    must('CR-132', 'refuse a query of another form with 400', async (world, expect) => {
      const wrong = ['createdBy=1', 'createdBy=IS:ann', 'requestedApproverId=1', 'state=open', 'state=IS:Draft']
      const outside = ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'offset=1.5', 'limit=1&limit=2']
      for (const query of [...wrong, ...outside]) {
        const answer = await world.get(`/search/change-requests?${query}`)
        expect([query, ...refusal(answer)]).toEqual([query, 400, 'BadDataError'])
      }
    }),

    must('CR-133', 'search only where the caller may read', async (world, expect) => {
      await world.inReview()
      const { status, body } = await world.get('/search/change-requests', 'nobody')
      expect([status, body]).toEqual([200, { changeRequests: [], total: 0 }])
    }),

    must('CR-134', 'refuse a malformed name of a flag with 400, for every caller', async (world, expect) => {
      for (const who of ['author', 'nobody'] as const) {
        const answer = await world.get(world.path('pending/bad%20name'), who)
        expect([who, ...refusal(answer)]).toEqual([who, 400, 'BadDataError'])
      }
    }),

    must(
      'CR-135',
      'list as scheduled only what is, and nothing where no parameter says of what',
      async (world, expect) => {
        const { id } = await world.inReview()
        const about = `feature=${world.feature}&feature=other&strategyId=s1&variantForFlag=${world.feature}`
        expect(idsOf(await listed(world, `scheduled?${about}`)).includes(id)).toBe(false)
        expect(await listed(world, 'scheduled', 'reviewer')).toEqual([])
        expect(refusal(await world.get(world.path('scheduled?feature=%00')))).toEqual([400, 'BadDataError'])
      },
    ),
  ],
}
