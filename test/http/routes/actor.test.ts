import express from 'express'
import supertest from 'supertest'
import { createChangeRequestRouter, memoryStorage } from '../../../src'
import { changeRequestsPath, enable } from '../../support/app'

/** A user with a property that the router does not know and that a copy would lose. */
class Member {
  readonly id = 7
  readonly name = 'Ann Lee'
  readonly #teams = ['shop']

  isIn(team: string): boolean {
    return this.#teams.includes(team)
  }
}

describe('the actor of the host', () => {
  const ann = new Member()
  const asked = new Set<Member>()
  const router = createChangeRequestRouter({
    logger: false,
    storage: memoryStorage(),
    authenticate: () => ann,
    authorize(actor, _permission, { project = '' }) {
      asked.add(actor)
      return actor.isIn(project)
    },
  })
  const host = supertest(express().use(router))
  const requests = '/api/admin/projects/shop/change-requests'

  it('is passed to authorize unchanged, for every permission', async () => {
    const { body } = await host.post(changeRequestsPath()).send(enable()).expect(200)
    await host.put(`${requests}/${body.id}/title`).send({ title: 'A title' }).expect(204)
    await host.put(`${requests}/${body.id}/state`).send({ state: 'In review' }).expect(200)
    await host.get(`${requests}/${body.id}`).expect(200)
    await host.get('/api/admin/events?project=shop').expect(200)
    await host.get('/api/admin/events?project=blog').expect(403)
    expect([...asked]).toEqual([ann])
    expect(body.createdBy).toMatchObject({ id: 7, username: 'Ann Lee' })
  })

  it('is neither stored nor returned, except the properties that the router uses', async () => {
    const { body } = await host.get('/api/admin/events?project=shop')
    expect(body.events[0]).toMatchObject({ createdBy: 'unknown', createdByUserId: 7 })
    expect(JSON.stringify(body)).not.toContain('teams')
  })
})
