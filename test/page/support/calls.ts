import { withoutBrowser } from './interference'
import { type PersonName, people } from './people'

/** Calls of the API as a user, without their browser. */
export interface Calls {
  /** Returns the body of a success. */
  call<Body = unknown>(who: PersonName, method: string, path: string, body?: object): Promise<Body>
  /** Proposes changes of project default in production as Ann; returns the id of the change request. */
  propose(changes: object, title?: string, who?: PersonName): Promise<number>
  /** Proposed, and sent to review. */
  inReview(changes: object, title?: string, who?: PersonName): Promise<number>
  /** In review, and approved by Ben. */
  approved(changes: object, title?: string, who?: PersonName): Promise<number>
  setState(who: PersonName, id: number, state: string, more?: object): Promise<void>
  comment(who: PersonName, id: number, text: string): Promise<void>
  object(who: PersonName, id: number, text: string): Promise<void>
  stateOf(id: number): Promise<string>
}

export function createCalls(url: string): Calls {
  const calls: Calls = {
    async call<Body>(who: PersonName, method: string, path: string, body?: object): Promise<Body> {
      const headers = { Authorization: people[who].key, 'Content-Type': 'application/json', [withoutBrowser]: 'true' }
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as Body
    },
    async propose(changes, title, who = 'ann') {
      const path = '/projects/default/environments/production/change-requests'
      const { id } = await calls.call<{ id: number }>(who, 'POST', path, changes)
      if (title !== undefined) await calls.call(who, 'PUT', `/projects/default/change-requests/${id}/title`, { title })
      return id
    },
    async inReview(changes, title, who = 'ann') {
      const id = await calls.propose(changes, title, who)
      await calls.setState(who, id, 'In review')
      return id
    },
    async approved(changes, title, who) {
      const id = await calls.inReview(changes, title, who)
      await calls.setState('ben', id, 'Approved')
      return id
    },
    async setState(who, id, state, more = {}) {
      await calls.call(who, 'PUT', `/projects/default/change-requests/${id}/state`, { state, ...more })
    },
    async comment(who, id, text) {
      await calls.call(who, 'POST', `/projects/default/change-requests/${id}/comments`, { text })
    },
    async object(who, id, text) {
      await calls.call(who, 'PUT', `/projects/default/change-requests/${id}/objection`, { text })
    },
    stateOf: async (id) =>
      (await calls.call<{ state: string }>('cara', 'GET', `/projects/default/change-requests/${id}`)).state,
  }
  return calls
}
