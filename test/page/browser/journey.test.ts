import type { Page } from 'playwright-core'
import { databases } from '../../support/databases'
import { isNightly } from '../../support/nightly'
import { useBrowser } from '../support/browser'
import { hands } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

afterEach(() => host.close())

const changes = [
  { action: 'updateEnabled', feature: 'pay-by-card', payload: { enabled: true } },
  {
    action: 'updateStrategy',
    feature: 'pay-by-card',
    payload: { id: 'pay-by-card-few', parameters: { rollout: '40', stickiness: 'default', groupId: 'demo' } },
  },
]

/** Nightly with each hand on each database, in the gate with another one on each. */
const paths = databases
  .flatMap((database) => hands.map((hand) => ({ database, hand, on: database.name, by: hand.name })))
  .filter(({ database, hand }) => isNightly || databases.indexOf(database) === hands.indexOf(hand))

describe('from a proposal to a changed flag', () => {
  it.each(paths)('goes $by, on $on, with people who look at the same time', async ({ database, hand }) => {
    host = await startHost({ database })
    const id = await host.propose(changes, 'Cards for two fifths')
    const path = `/projects/default/change-requests/${id}`
    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
    const state = (page: Page) => page.getByRole('list', { name: 'State' }).locator('[aria-current=step]')

    const ann = await browser.visit(host.as('ann', path))
    await hand.press(button(ann, 'Send to review'))
    await expectText(state(ann), /In review/)

    const ben = await browser.visit(host.as('ben'))
    await hand.press(ben.getByRole('link', { name: 'Cards for two fifths' }))
    await hand.press(button(ben, 'Approve'))
    await expectText(state(ben), /In review/)
    await expectText(ben.getByRole('main'), /payments owners missing/)

    const dan = await browser.visit(host.as('dan', path))
    await hand.write(dan.getByLabel(/Comment with it/), 'Cards are ready.')
    await hand.press(button(dan, 'Approve'))
    await expectText(state(dan), /Approved/)
    await expectText(state(ann), /Approved/)
    await expectText(state(ben), /Approved/)
    expect((await host.place('pay-by-card')).enabled).toBe(false)

    await hand.press(button(ben, 'Schedule…'))
    await hand.press(button(ben, 'Tomorrow 07:00'))
    await hand.press(button(ben, /^Schedule for .* 07:00$/))
    await expectText(state(ben), /Scheduled/)
    await expectText(state(ann), /Scheduled/)

    const scheduled = await host.storage.find({ project: 'default' }, id)
    await host.runAt(new Date(scheduled?.changeRequest.schedule?.scheduledAt ?? ''))
    await expectText(state(ben), /Applied/)
    await expectText(state(ann), /Applied/)
    expect(await host.place('pay-by-card')).toMatchObject({
      enabled: true,
      strategies: [{ parameters: { rollout: '40' } }],
    })
  })
})
