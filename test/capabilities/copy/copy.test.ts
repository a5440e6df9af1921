import { copy } from '../../../src/capabilities/copy/routes'
import { by, createFixture, enable, type FixtureOptions, rejection, type Who } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const here = { project: 'shop', id: 1 }

async function closed(options: FixtureOptions = {}, changes = [enable('checkout'), enable('search')]) {
  const fixture = createFixture(options)
  await fixture.reviewed(changes)
  await fixture.to('ben', 'Rejected')
  return { ...fixture, copy: (who: Who) => copy(fixture.services, { ...by(who), ...here }) }
}

/** @see contract 17.1 */
describe('copy', () => {
  it('is a new draft of the caller with the same changes, based on the current flags', async () => {
    const flags = new HostFlags()
    const fixture = await closed({ flags })
    const { changeRequest } = await fixture.copy('cleo')
    expect(changeRequest).toMatchObject({
      id: 2,
      state: 'Draft',
      title: 'Copy of "Change request #1"',
      createdBy: { id: 3 },
      changes: [enable('checkout'), enable('search')],
      approvals: [],
    })
    expect(changeRequest.changes.map(({ id, base }) => [id, base])).toEqual([
      [3, { enabled: false }],
      [4, { enabled: false }],
    ])
    expect((await fixture.events()).filter(({ type }) => type === 'change-request-created').at(-1)?.data).toEqual({
      changeRequestId: 2,
      copies: 1,
    })
    expect((await fixture.stored())?.state).toBe('Rejected')
  })

  it('is 404 and names the flags that no longer exist', async () => {
    const known = new Set(['checkout', 'search'])
    const fixture = await closed({
      directory: { knownFeatures: (_, features) => features.filter((name) => known.has(name)) },
    })
    known.delete('search')
    expect(await rejection(fixture.copy('ann'))).toMatchObject({
      name: 'NotFoundError',
      message: 'The project has no flag named search.',
    })
  })
})
