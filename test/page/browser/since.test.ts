import type { Page } from 'playwright-core'
import type { ReviewView } from '../../../src/generated'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { write } from '../../storage/fixtures'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { expectFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

const when = '\\w+ \\d+ \\w+, \\d\\d:\\d\\d'
const three = [roll('checkout', 'checkout-half', '30'), enable('dark-mode'), enable('new-search')]

const changeOf = async (id: number, feature: string) => {
  const { changes } = await host.call<ReviewView>('ann', 'GET', `${requestPath(id)}/review`)
  return `${requestPath(id)}/changes/${changes.find((change) => change.feature === feature)?.id}`
}
const edit = async (id: number, rollout: string) =>
  host.call('ann', 'PUT', await changeOf(id, 'checkout'), roll('checkout', 'checkout-half', rollout))
const discard = async (id: number, feature: string) => host.call('ann', 'DELETE', await changeOf(id, feature))

const summary = (page: Page) => page.locator('.since')
const count = (page: Page) => page.getByRole('status').filter({ hasText: /viewed$/ })
const marks = (page: Page) => page.locator('.change .m-new').allInnerTexts()
const viewed = (page: Page, name: string | RegExp = /./) => page.getByRole('checkbox', { name })
const open = async (who: PersonName, id: number) => browser.visit(host.as(who, requestPath(id)))

describe('since an approval', () => {
  it('shows what was edited, added and removed, and who voided the approval', async () => {
    const id = await host.approved(three, 'Three at a time')
    await edit(id, '40')
    await edit(id, '45')
    await discard(id, 'dark-mode')
    await host.propose(enable('pay-by-card'))
    await host.call('ann', 'PUT', `${requestPath(id)}/approvers`, { reviewers: [2] })
    const page = await open('ben', id)
    await expectText(
      summary(page),
      new RegExp(
        `^1 edited, 1 new, 1 removed since you approved on ${when}\\. ` +
          `Ann Lee edited the change request on ${when}, which voided your approval\\.$`,
      ),
    )
    expect((await marks(page)).sort()).toEqual(['Edited since your approval', 'New since your approval'])
    await expectText(page.locator('.change').filter({ hasText: 'Edited since' }), /45.%/)
    await expectText(
      page.getByRole('region', { name: 'Votes' }),
      /^Votes\W*BO\W*You approved · Ann Lee edited the change request on .*BO\W*You\W*asked, no vote yet$/s,
    )
    expect(await findings(page)).toEqual([])

    await requestScreen(page).button('Approve').click()
    await summary(page).waitFor({ state: 'detached' })
    expect(await marks(page)).toEqual([])
  })

  it('shows when the changes were edited back, and when a rebase voided the approval', async () => {
    const id = await host.approved(three, 'Three at a time')
    await edit(id, '40')
    await edit(id, '30')
    const page = await open('ben', id)
    await expectText(summary(page), new RegExp(`^The changes are as you approved them on ${when}\\. Ann Lee edited`))
    expect(await marks(page)).toEqual([])
    await requestScreen(page).button('Approve').click()
    await host.changeFlags(roll('checkout', 'checkout-half', '60'))
    await host.call('ann', 'POST', `${requestPath(id)}/rebase`, { take: 'ours' })
    await page.reload()
    await expectText(summary(page), new RegExp(`^1 edited since .*Ann Lee rebased the changes on ${when}`))
  })

  it('is unknown if an earlier version stored the vote', async () => {
    const id = await host.approved(three, 'Three at a time')
    const { changeRequest, version } = (await host.storage.find({ project: 'default' }, id)) as StoredChangeRequest
    await host.storage.commit(write({ ...changeRequest, votedContents: [] }, { expectedVersion: version }))
    const page = await open('ben', id)
    await expectText(count(page), '0 of 3 viewed')
    await edit(id, '40')
    await page.reload()
    await expectText(
      summary(page),
      /^It is not known what changed: the vote was stored by an earlier version\. Ann Lee edited the change request/,
    )
    expect(await marks(page)).toEqual([])
  })
})

describe('since a user last opened it', () => {
  it('shows what was edited and added, and nothing on the first visit', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const page = await open('dan', id)
    await expectText(count(page), '0 of 3 viewed')
    await page.goto(host.url('/settings'))
    await edit(id, '40')
    await edit(id, '45')
    await host.propose(enable('pay-by-card'))
    await page.goto(host.url(requestPath(id)))
    await expectText(summary(page), new RegExp(`^1 edited, 1 new since you last opened it on ${when}\\.$`))
    expect((await marks(page)).sort()).toEqual(['Edited since you last opened it', 'New since you last opened it'])
    await page.reload()
    await expectText(count(page), '0 of 4 viewed')
  })
})

describe('a viewed change', () => {
  it('is marked by keyboard or v, and folded until an edit, in this browser for this user', async () => {
    const id = await host.inReview(three, 'Three at a time')
    const page = await open('ben', id)
    const box = viewed(page, /^Viewed: Strategy/)
    await box.focus()
    await page.keyboard.press('v')
    await expectText(count(page), '1 of 3 viewed')
    await expectFocus(box)
    await page.keyboard.press('v')
    await expectText(count(page), '0 of 3 viewed')
    await page.keyboard.press('Space')
    const table = page.locator('.card').first().getByRole('table')
    await table.waitFor({ state: 'hidden' })
    await expectText(count(page), '1 of 3 viewed')
    expect(await findings(page)).toEqual([])
    const become = async (person: PersonName) => {
      await page.context().addCookies([{ name: 'person', value: person, url: host.url() }])
      await page.reload()
    }
    await become('dan')
    await expectText(count(page), '0 of 3 viewed')
    await viewed(page, /Viewed/)
      .last()
      .check()
    await become('ben')
    await expectText(count(page), '1 of 3 viewed')
    expect(await viewed(page, /^Viewed: Strategy/).isChecked()).toBe(true)

    await edit(id, '40')
    await requestScreen(page).button('Show what changed').click()
    await expectText(count(page), '0 of 3 viewed')
    await table.waitFor()
    await edit(id, '30')
    await page.reload()
    await expectText(count(page), '0 of 3 viewed')
  })

  it('shows open decisions, and does not exist in a closed change request', async () => {
    const id = await host.inReview(three, 'Three at a time')
    await host.changeFlags({ action: 'deleteStrategy', feature: 'checkout', payload: { id: 'checkout-half' } })
    const page = await open('ben', id)
    await viewed(page, /^Viewed: Strategy/).check()
    await page.getByRole('heading', { name: /has been deleted/ }).waitFor()
    await host.setState('cara', id, 'Rejected')
    await until(async () => (await viewed(page).count()) === 0, 'no change can be marked')
    expect(await count(page).count()).toBe(0)
  })
})
