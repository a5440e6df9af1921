import { useBrowser } from '../support/browser'
import { hands } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost
let id: number

const variants = (blue: number) => [
  { name: 'blue', weight: blue, weightType: 'variable', stickiness: 'default' },
  { name: 'red', weight: 1000 - blue, weightType: 'variable', stickiness: 'default' },
]

const strategy = {
  id: 'new-search-beta',
  name: 'flexibleRollout',
  title: 'Testers in the north',
  parameters: { rollout: '25', stickiness: 'default', groupId: 'demo' },
  segments: [1],
}

const constraint = (values: string[]) => ({ contextName: 'country', operator: 'IN', values })
const email = {
  contextName: 'email',
  operator: 'STR_ENDS_WITH',
  values: ['@example.com'],
  inverted: true,
  caseInsensitive: true,
}

const payload = (text: string) => ({ type: 'json', value: JSON.stringify({ heading: 'Search', hint: text }) })

beforeAll(async () => {
  host = await startHost()
  await host.changeFlags({
    action: 'updateStrategy',
    feature: 'new-search',
    payload: { ...strategy, constraints: [constraint(['NO', 'SE'])], variants: variants(500) },
  })
  const [list, grid] = variants(600).map((one, at) => ({ ...one, name: at === 0 ? 'list' : 'grid' }))
  const replaced = (text: string, weight: number) => [{ ...list, payload: payload(text), weight }, grid]
  await host.changeFlags({
    action: 'patchVariant',
    feature: 'new-search',
    payload: { variants: replaced('Type a word', 600) },
  })
  const edited = {
    ...strategy,
    parameters: { ...strategy.parameters, rollout: '75' },
    constraints: [constraint(['NO', 'DK']), email],
    variants: variants(250),
  }
  id = await host.inReview(
    [
      { action: 'updateStrategy', feature: 'new-search', payload: edited },
      { action: 'patchVariant', feature: 'new-search', payload: { variants: replaced('Type a name or a word', 500) } },
    ],
    'Search in the north',
  )
})
afterAll(() => host.close())

describe('what a change alters', () => {
  it.each(hands)('$name: reads as sentences, side by side and unified', async (hand) => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, main } = requestScreen(page)
    const table = page.getByRole('table').first()
    const row = (name: string) =>
      table.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    await expectText(row('Country'), /is one of NO, SE.*is one of NO added: \+ DK removed: SE/)
    await expectText(row('Email'), /no condition.*does not end with @example\.com \(case-insensitive\)/)
    await expectText(row('Rollout'), /25.%.*75.%.*50 points up/)
    await expectText(row('All variants'), /100.%.*100.%/)
    await expectText(
      main,
      /75.% of users in NO added: \+ DK removed: SE and whose email does not end with added: \+ @example\.com/,
    )
    expect(await row('Segments').count()).toBe(0)

    await hand.press(button('Side by side'))
    await expectText(row('Segments'), /segment “Beta testers”.*segment “Beta testers”/)
    await expectText(row('Title'), /Testers in the north.*Testers in the north/)
    await expectText(row('blue'), /50.%.*25.%/)
    expect(await row('Rollout').getByRole('cell').count()).toBe(2)

    await hand.press(button('Unified'))
    await expectText(row('Rollout'), /removed: 25.%.*75.%/)
    await expectText(row('Segments'), /^Segments\s*segment “Beta testers”$/)
    await expectText(row('Country'), /is one of NO added: \+ DK removed: SE/)
    expect(await row('Rollout').getByRole('cell').count()).toBe(1)

    // The choice is kept.
    await page.reload()
    await expectText(row('Rollout'), /removed: 25.%.*75.%/)
  })

  it('shows the words of long texts and JSON that come and go, also at 320 px', async () => {
    const page = await browser.visit({ ...host.as('ben', requestPath(id)), viewport: { width: 320, height: 800 } })
    const row = page.getByRole('row').filter({ hasText: 'list · payload · value' })
    await expectText(row, /"hint": "Type a added: name or a word"/)
    await expectText(row.locator('ins'), 'name or a')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  })
})

describe('a change of a segment', () => {
  const constraints = [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.org'] }]
  const update = { action: 'updateSegment', payload: { id: 1, name: 'Beta testers', description: '', constraints } }
  let inReview: number
  beforeAll(async () => {
    inReview = await host.approved(update, 'Testers of another domain', 'fay')
  })

  it('says that it is in all environments, and names the flags that use the segment', async () => {
    const page = await browser.visit(host.as('ben', requestPath(inReview)))
    const { button, main, dialog } = requestScreen(page)
    await expectText(main.getByRole('region', { name: 'What will change in all environments' }), /in all environments/)
    const card = page.getByRole('article', { name: 'Segment Beta testers' })
    await expectText(card, 'Used by new-search.')
    await expectText(card, /Segment “Beta testers”\s*edited in all environments/)
    await card.getByRole('columnheader', { name: 'Now in all environments' }).waitFor()
    await expectText(main.locator('header'), /all environments\s*of default · live for all users/)
    await expectText(
      page.getByRole('region', { name: 'Activity' }),
      /added segment “Beta testers” edited in all environments/,
    )
    await button('Apply to all environments now').waitFor()
    await button('Schedule…').click()
    await expectText(dialog, /all environments\s*of default/)
    expect(await dialog.textContent()).not.toMatch(/production/)
  })

  it.each([
    [
      [{ project: 'default', feature: 'a' }, { project: 'pay', feature: 'b' }, { others: 2 }],
      'Used by a, pay/b and 2 other flags.',
    ],
    [[], 'No flag uses it.'],
  ])('names flags of other projects, and counts those that the viewer cannot read: %j', async (use, words) => {
    const page = await browser.visit(host.as('ben', '/'))
    await page.route('**/review', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), segmentUse: { 1: use } } })
    })
    await page.goto(host.url(requestPath(inReview)))
    await expectText(page.getByRole('article', { name: 'Segment Beta testers' }), words)
  })

  it('says so before an emergency, in the inbox and in the log', async () => {
    const unreviewed = await host.inReview(
      [update, { action: 'archiveFeature', feature: 'checkout', payload: {} }],
      'Both',
      'gus',
    )
    const page = await browser.visit(host.as('cara', requestPath(unreviewed)))
    const { button, main, dialog } = requestScreen(page)
    const place = 'production (segments: all environments)'
    await expectText(main.getByRole('heading', { name: `What will change in ${place}` }), place)
    await button('Apply in emergency…').click()
    await button(`Apply to ${place} without review`, dialog).waitFor()
    await expectText(dialog, /Beta testers.*in all environments/)

    await page.goto(host.url('/?needs=all'))
    const row = page.getByRole('listitem').filter({ hasText: 'Testers of another domain' })
    await expectText(row.locator('.where'), /^all environments/)
    await expectText(row, /Beta testers.*in all environments/)

    await page.goto(host.url('/log?type=change-added'))
    const line = page.locator('.ev-line').filter({ hasText: 'Beta testers' }).first()
    await expectText(line, /segment “Beta testers” edited in all environments/)
    expect(await line.locator('.slot').textContent()).toBe('')
  })
})
