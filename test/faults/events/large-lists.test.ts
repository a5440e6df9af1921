import { join } from 'node:path'
import type { Comment } from '../../../src'
import { sampleChangeRequest, storedClosed } from '../../../src/testing/samples'
import { databases, type OpenDatabase, type Place } from '../../support/databases'
import { listening, type Server, support } from '../support/server'

const total = 40
const commentsEach = 50
/** The heap of the server, in MB: less than the text of one response. */
const heap = 64

/** About 2 MB: the comments of many users who all reach the limit. */
const comments: readonly Comment[] = Array.from({ length: commentsEach }, (_, index) => ({
  id: index + 1,
  text: '\u{1f44d}'.repeat(10_000),
  createdBy: sampleChangeRequest().createdBy,
  createdAt: sampleChangeRequest().createdAt,
}))

/** Fault T48: what any user can write must not crash the process that returns it. */
describe.each(databases)(
  `a project with ${total} change requests of 2 MB, in a heap of ${heap} MB, on $name`,
  ({ open }) => {
    let database: OpenDatabase
    let server: Server

    beforeAll(async () => {
      database = await open()
      for (let written = 0; written < total; written += 1) {
        await storedClosed(database.storage, { state: 'In review', comments } as object)
      }
      server = await startSmall(database.place)
    })

    afterAll(async () => {
      await server?.kill()
      await database?.close()
    })

    const read = async (path: string) => {
      const response = await fetch(`${server.url}/api/admin${path}`, { headers: { 'x-user': '2' } })
      // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
      return { status: response.status, body: (await response.json()) as any }
    }

    it('is listed completely, newest first', async () => {
      const { status, body } = await read('/projects/shop/change-requests')
      expect([status, server.ended()]).toEqual([200, undefined])
      expect(body.map(({ id }: { id: number }) => id)).toEqual(
        Array.from({ length: total }, (_, index) => total - index),
      )
      const texts = body.flatMap((one: { comments: Comment[] }) => one.comments.map(({ text }) => text?.length))
      expect(texts).toEqual(Array(total * commentsEach).fill(20_000))
    })

    it('is listed by its flags, counted and found', async () => {
      expect((await read('/projects/shop/change-requests/pending/checkout')).body).toEqual([])
      expect((await read('/projects/shop/change-requests/count')).body).toMatchObject({ total, reviewRequired: total })
      expect((await read('/projects/shop/change-requests/actionable')).body).toEqual({ total })
      const { body } = await read('/search/change-requests?limit=1000')
      expect([body.total, body.changeRequests.length]).toEqual([total, total])
      expect(server.ended()).toBe(undefined)
    })
  },
)

function startSmall({ knex, storage }: Place): Promise<Server> {
  const config = JSON.stringify({ knex, storage })
  return listening([
    process.execPath,
    `--max-old-space-size=${heap}`,
    join(support, 'processes/kill-server.cjs'),
    config,
  ])
}
