import { type Api, errorOf, type Json, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

const idsOf = (list: Json[]): number[] => list.map(({ id }) => id)

const listed = async (api: Api, below: string, who: 'author' | 'reviewer' = 'author'): Promise<Json[]> =>
  succeeded(await api.get(api.path(below), who)).body

const search = async (api: Api, query: string): Promise<Json> =>
  succeeded(await api.get(`/search/change-requests${query}`)).body

const numbers = async (api: Api): Promise<Json> => succeeded(await api.get(api.path('count'))).body

const actionable = async (api: Api, who: 'author' | 'reviewer'): Promise<number> =>
  succeeded(await api.get(api.path('actionable'), who)).body.total

export const lists: RuleGroup = {
  title: 'lists, counts and the search',
  rules: [
    must('CR-121', 'list the change requests of the project in all states, newest first', async (api, expect) => {
      const closed = await api.inState('Cancelled')
      const { id } = await api.draft()
      const list = await listed(api, '')
      expect(idsOf(list).slice(0, 2)).toEqual([id, closed.id])
      const { stateTimestamps: _, ...shape } = await api.read(id)
      expect(list[0]).toEqual(shape)
    }),

    must(
      'CR-122',
      "list the caller's own change requests as pending while they accept changes",
      async (api, expect) => {
        const { id } = await api.draft()
        const seen = [idsOf(await listed(api, 'pending'))]
        for (const [who, state] of [
          ['author', 'In review'],
          ['reviewer', 'Approved'],
          ['reviewer', 'Applied'],
        ] as const) {
          succeeded(await api.move(who, id, state))
          seen.push(idsOf(await listed(api, 'pending')))
        }
        expect(seen).toEqual([[id], [id], [id], []])
      },
    ),

    must('CR-123', 'exclude change requests of other users from pending', async (api, expect) => {
      const { id } = await api.inReview()
      expect(idsOf(await listed(api, 'pending', 'reviewer')).includes(id)).toBe(false)
    }),

    must('CR-124', 'exclude environments where change requests are disabled from pending', async (api, expect) => {
      await api.draft()
      await api.settings({ changeRequestsEnabled: false })
      expect(await listed(api, 'pending')).toEqual([])
    }),

    must('CR-125', 'return the same for open as for pending', async (api, expect) => {
      await api.draft()
      expect(await listed(api, 'open')).toEqual(await listed(api, 'pending'))
    }),

    must('CR-126', 'list the open change requests of all users by flag', async (api, expect) => {
      const { id } = await api.inReview()
      const found = await listed(api, `pending/${encodeURIComponent(api.feature)}`, 'reviewer')
      expect(idsOf(found).includes(id)).toBe(true)
      expect(idsOf(await listed(api, 'pending/some-other-flag', 'reviewer')).includes(id)).toBe(false)
      succeeded(await api.move('author', id, 'Cancelled'))
      expect(idsOf(await listed(api, `pending/${encodeURIComponent(api.feature)}`, 'reviewer')).includes(id)).toBe(
        false,
      )
    }),

    must(
      'CR-127',
      'count by state, and count drafts and cancelled change requests only in the total',
      async (api, expect) => {
        const buckets = {
          Draft: [],
          'In review': ['reviewRequired'],
          Approved: ['approved'],
          Applied: ['applied'],
          Rejected: ['rejected'],
          Cancelled: [],
        } as const
        for (const [state, names] of Object.entries(buckets)) {
          const before = await numbers(api)
          const { id } = await api.inState(state)
          const grown = Object.fromEntries(['total', ...names].map((name) => [name, before[name] + 1]))
          expect([state, await numbers(api)]).toEqual([state, { ...before, ...grown }])
          await api.move('author', id, 'Cancelled')
        }
      },
    ),

    must('CR-128', 'count as actionable what the caller can approve or apply', async (api, expect) => {
      const before = [await actionable(api, 'author'), await actionable(api, 'reviewer')]
      const { id } = await api.inReview({ approvals: 2 })
      const counted = async () => [
        (await actionable(api, 'author')) - (before[0] ?? 0),
        (await actionable(api, 'reviewer')) - (before[1] ?? 0),
      ]
      const inReview = await counted()
      succeeded(await api.move('reviewer', id, 'Approved'))
      const halfWay = await counted()
      succeeded(await api.move('reviewer2', id, 'Approved'))
      expect([inReview, halfWay, await counted()]).toEqual([
        [0, 1],
        [0, 0],
        [1, 1],
      ])
    }),

    must('CR-129', 'find change requests by author and by open or closed', async (api, expect) => {
      const { id, createdBy } = await api.inReview()
      const by = `?createdBy=IS:${createdBy.id}&limit=1000`
      const open = await search(api, `${by}&state=IS:open`)
      const closed = await search(api, `${by}&state=IS:closed`)
      expect([idsOf(open.changeRequests).includes(id), idsOf(closed.changeRequests).includes(id)]).toEqual([
        true,
        false,
      ])
      const other = await search(api, `?createdBy=IS:${Number.MAX_SAFE_INTEGER}`)
      expect(other).toEqual({ changeRequests: [], total: 0 })
    }),

    must('CR-130', 'show project, environment, author and subjects of each result', async (api, expect) => {
      const { id, createdBy, createdAt, state } = await api.inReview()
      const { changeRequests } = await search(api, `?createdBy=IS:${createdBy.id}&state=IS:open`)
      const item = changeRequests.find((one: Json) => one.id === id)
      expect({ ...item, createdBy: item.createdBy.id }).toEqual({
        id,
        environment: api.environment,
        project: api.project,
        createdBy: createdBy.id,
        createdAt,
        features: [api.feature],
        segments: [],
        state,
      })
    }),

    must('CR-131', 'page through the results, newest first, with the total number', async (api, expect) => {
      await api.inState('Cancelled')
      const { id, createdBy } = await api.draft()
      const by = `?createdBy=IS:${createdBy.id}`
      const [both, first, second] = [
        await search(api, `${by}&limit=2`),
        await search(api, `${by}&limit=1`),
        await search(api, `${by}&limit=1&offset=1`),
      ]
      expect(both.changeRequests[0].id).toBe(id)
      expect([...first.changeRequests, ...second.changeRequests]).toEqual(both.changeRequests)
      expect([first.total, second.total]).toEqual([both.total, both.total])
    }),

    must('CR-132', 'reject an invalid query with 400', async (api, expect) => {
      const wrong = ['createdBy=1', 'createdBy=IS:ann', 'requestedApproverId=1', 'state=open', 'state=IS:Draft']
      const outside = ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'offset=1.5', 'limit=1&limit=2']
      for (const query of [...wrong, ...outside]) {
        const response = await api.get(`/search/change-requests?${query}`)
        expect([query, ...errorOf(response)]).toEqual([query, 400, 'BadDataError'])
      }
    }),

    must('CR-133', 'search only projects that the caller can read', async (api, expect) => {
      await api.inReview()
      const { status, body } = await api.get('/search/change-requests', 'nobody')
      expect([status, body]).toEqual([200, { changeRequests: [], total: 0 }])
    }),

    must('CR-134', 'reject a malformed flag name with 400, for every caller', async (api, expect) => {
      for (const who of ['author', 'nobody'] as const) {
        const response = await api.get(api.path('pending/bad%00name'), who)
        expect([who, ...errorOf(response)]).toEqual([who, 400, 'BadDataError'])
      }
    }),

    must(
      'CR-135',
      'list only scheduled change requests as scheduled, and nothing without a parameter',
      async (api, expect) => {
        const { id } = await api.inReview()
        const flag = encodeURIComponent(api.feature)
        const about = `feature=${flag}&feature=other&strategyId=s1&variantForFlag=${flag}`
        expect(idsOf(await listed(api, `scheduled?${about}`)).includes(id)).toBe(false)
        expect(await listed(api, 'scheduled', 'reviewer')).toEqual([])
        expect(errorOf(await api.get(api.path('scheduled?feature=%00')))).toEqual([400, 'BadDataError'])
      },
    ),
  ],
}
