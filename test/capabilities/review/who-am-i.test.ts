import { whoAmI } from '../../../src/capabilities/review/who-am-i'
import { actors, createFixture, production } from '../../kernel/support/fixture'

/** @see contract 12 */
describe('whoAmI', () => {
  it('is the caller with their groups', async () => {
    const { services, host } = createFixture()
    const me = await whoAmI(services, { ...actors.ann, groups: ['payments'] }, {})
    expect(me).toEqual({
      ...{ id: 1, username: 'ann@example.com', imageUrl: null, groups: ['payments'] },
      ...{ kind: 'person', onBehalfOf: null },
    })
    expect(host.asked).toEqual([])
  })

  it('may be a key without a person', async () => {
    const { services } = createFixture()
    expect(await whoAmI(services, actors.robot, {})).toEqual({
      id: null,
      username: 'robot',
      imageUrl: null,
      kind: 'person',
      onBehalfOf: null,
      groups: [],
    })
  })

  it('returns the permissions of the caller in a project and environment', async () => {
    const { services, host } = createFixture()
    host.allows = (_, permission, { environment }) =>
      permission === 'READ_CHANGE_REQUEST' || (permission === 'APPROVE_CHANGE_REQUEST' && environment === 'production')
    const held = async (scope: object) => (await whoAmI(services, actors.ann, scope)).permissions
    expect(await held(production)).toEqual(['READ_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST'])
    expect(await held({ project: 'shop' })).toEqual(['READ_CHANGE_REQUEST'])
  })
})
