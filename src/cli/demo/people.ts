import { randomBytes } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import all from '#people.json'
import { sameOrigin } from '../../auth/same-origin'
import { ChangeRequestError } from '../../errors'
import type { Actor } from '../../ports/access'
import type { UserDirectory } from '../../ports/users'

export interface DemoPerson extends Actor {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly groups: readonly string[]
  /** For the list of links. */
  readonly role: string
}

export const people: readonly DemoPerson[] = all.map(({ email: _, permissions, ...person }) => ({
  ...person,
  grants: permissions.map((permission) => ({ permission })),
}))

/** Everyone in the demo can approve. */
export const users: UserDirectory = {
  find: (ids) => people.filter(({ id }) => ids.includes(id)),
  reviewers: () => people,
}

export type SignIn = ReturnType<typeof createSignIn>

const secret = () => randomBytes(24).toString('base64url')

/** Each person has a link that works once and sets a cookie. Browsers send it to all ports, so each demo needs its own. */
export function createSignIn(cookie: string) {
  const links = new Map<string, DemoPerson>()
  const sessions = new Map<string, DemoPerson | undefined>()

  function startSession(person: DemoPerson | undefined): string {
    const session = secret()
    sessions.set(session, person)
    return session
  }

  return {
    handler(req: Request, res: Response, next: NextFunction) {
      // HEAD leaves the link unused: programs that show or scan links send it.
      if (req.method !== 'GET' || !req.path.startsWith('/sign-in/')) return next()
      res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
      const person = links.get(req.path)
      if (person === undefined) {
        const text = 'The link is unknown, or was used already. Start the demo again for new links.\n'
        res.status(404).type('text/plain').send(text)
        return
      }
      links.delete(req.path)
      res.cookie(cookie, startSession(person), { httpOnly: true, sameSite: 'strict', path: '/' })
      res.redirect('/review/')
    },
    authenticate(req: Request): DemoPerson | null {
      const person = sessions.get(readCookie(req, cookie))
      if (person === undefined) return null
      // `SameSite=Strict` does not help against other ports of this computer, which are the same site.
      if (!sameOrigin(req)) throw new ChangeRequestError('ForbiddenError', 'Requests of other sites are not accepted.')
      return person
    },
    linkOf(person: DemoPerson): string {
      const path = `/sign-in/${person.username}-${secret()}`
      links.set(path, person)
      return path
    },
    sessionOf: (username: string) => `${cookie}=${startSession(people.find((person) => person.username === username))}`,
  }
}

function readCookie({ headers }: Request, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === name)?.[1] ?? ''
}
