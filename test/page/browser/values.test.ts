import type { Locator } from 'playwright-core'
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

describe('the fields of a change', () => {
  it.each(hands)('$name: are shown as sentences, side by side and unified', async (hand) => {
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

  it('show added and removed words of long texts and JSON, also at 320 px', async () => {
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

  it('shows that it affects all environments, and names the flags that use the segment', async () => {
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

  it('names flags of other projects, and counts flags that the viewer cannot read', async () => {
    const use = [{ project: 'default', feature: 'a' }, { project: 'pay', feature: 'b' }, { others: 2 }]
    const page = await browser.visit(host.as('ben', '/'))
    await page.route('**/review', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), segmentUse: { 1: use } } })
    })
    await page.goto(host.url(requestPath(inReview)))
    await expectText(page.getByRole('article', { name: 'Segment Beta testers' }), 'Used by a, pay/b and 2 other flags.')
  })

  it('shows that before an emergency, in the inbox and in the log', async () => {
    const unreviewed = await host.inReview(
      [update, { action: 'archiveFeature', feature: 'checkout', payload: {} }],
      'Both',
      'gus',
    )
    const own = await browser.visit(host.as('gus', requestPath(unreviewed)))
    const edited = requestScreen(own)
    await own.getByRole('article', { name: 'Segment Beta testers' }).getByRole('button', { name: /^Edit/ }).click()
    await expectText(edited.dialog, /all environments\s*of default/)
    await own.keyboard.press('Escape')
    await own.getByRole('article', { name: 'checkout' }).getByRole('button', { name: /^Edit/ }).click()
    await expectText(edited.dialog, /production\s*of default/)
    await own.close()

    const page = await browser.visit(host.as('cara', requestPath(unreviewed)))
    const { button, main, dialog } = requestScreen(page)
    const place = 'production (segments: all environments)'
    await expectText(main.getByRole('heading', { name: `What will change in ${place}` }), place)
    await button('Apply in emergency…').click()
    await button(`Apply to ${place} without review`, dialog).waitFor()
    await expectText(dialog, /Beta testers.*in all environments/)

    await page.goto(host.url('/?needs=all'))
    const row = page.getByRole('listitem').filter({ hasText: 'Testers of another domain' })
    await expectText(row.locator('.where'), /^default · all environments$/)
    await expectText(row, /Beta testers.*in all environments/)

    await page.goto(host.url('/log?type=change-added'))
    const line = page.locator('.ev-line').filter({ hasText: 'Beta testers' }).first()
    await expectText(line, /segment “Beta testers” edited in all environments/)
    expect(await line.locator('.slot').textContent()).toBe('')
  })
})

describe('the same change in summary, table, inbox and log', () => {
  const flags = ['ends-twice', 'no-percentage', 'long-list', 'for-all']
  const edit = (feature: string, rollout: string, constraints: object[] = []) => ({
    action: 'updateStrategy' as const,
    feature,
    payload: { ...strategy, id: `${feature}-some`, title: '', segments: [], parameters: { rollout }, constraints },
  })
  const on = (feature: string) => ({ action: 'updateEnabled' as const, feature, payload: { enabled: true } })
  const endsWith = (value: string) => ({ ...email, inverted: false, values: [value] })
  const ids = (values: string[]) => ({ contextName: 'userId', operator: 'IN', values })
  const many = Array.from({ length: 1_200 }, (_, index) => `user-${index}`)
  const edits = [
    // Constraints have no order.
    edit('ends-twice', '75', [endsWith('@b'), endsWith('@a')]),
    edit('no-percentage', '175'),
    edit('long-list', '25', [ids([...many.slice(0, -1), 'ann', 'ben'])]),
    edit('for-all', '100'),
  ]
  let two: number
  let others: number

  beforeAll(async () => {
    await host.addFlags(flags)
    await host.changeFlags(
      edit('ends-twice', '25', [endsWith('@a'), endsWith('@b')]),
      edit('no-percentage', '25'),
      edit('long-list', '25', [ids(many)]),
      edit('for-all', '5'),
      on('for-all'),
    )
    const byUser = { name: 'gradualRolloutUserId', constraints: [], parameters: { percentage: '5', groupId: 'demo' } }
    const added = { action: 'addStrategy', feature: 'for-all', payload: byUser }
    two = await host.inReview(edits.slice(0, 2), 'Two flags', 'hal')
    others = await host.inReview([...edits.slice(2), added], 'Two other flags', 'ida')
  })

  const news = 'is one of +2, −1 of 1,201: added: + ann added: + ben removed: user-1199'
  const texts = {
    'ends-twice': /25.% → 75.% of users whose email ends with @a .*and whose email ends with @b/,
    'no-percentage': /25.% → 175 \(not a percentage\)/,
    'long-list': new RegExp(`25.% of users whose userId ${news.replaceAll('+', '\\+')}$`),
    'for-all': /5.% → 100.% of everybody; adds gradual rollout by user for 5.% of everybody$/,
  }

  it('is the same in review and inbox', async () => {
    for (const [id, names] of [[two, flags.slice(0, 2)] as const, [others, flags.slice(2)] as const]) {
      const page = await browser.visit(host.as('ben', requestPath(id)))
      const summary = page.getByRole('region', { name: /^What will change/ }).getByRole('listitem')
      const inbox = await browser.visit(host.as('ben', '/'))
      for (const name of names as (keyof typeof texts)[]) {
        await expectText(summary.filter({ hasText: name }).locator('.effect'), texts[name])
        await expectText(
          inbox.getByRole('listitem').filter({ has: inbox.getByText(name, { exact: true }) }),
          texts[name],
        )
      }
      await inbox.close()
      const card = (name: string) => page.getByRole('article', { name })
      const rows = (name: string) => card(name).getByRole('rowheader')
      if (id === two) {
        expect(await rows('ends-twice').allInnerTexts()).toEqual(['Rollout'])
        expect(await card('ends-twice').locator('ins, del').count()).toBe(0)
        await expectText(card('no-percentage').getByRole('row'), /Rollout.*25.%.*175 \(not a percentage\)$/)
      } else {
        await expectText(card('for-all').locator('.change').first(), /edited.*Everybody/)
        expect(await card('for-all').locator('.change').nth(1).getByText('Everybody', { exact: true }).count()).toBe(0)
        const after = card('long-list').getByRole('cell').last()
        await expectText(after, `${news}, user-0`)
        await unfold(after)
        await expectText(after, 'user-1198')
        await card('long-list').getByRole('button', { name: 'Show fewer' }).press('Enter')
        await after.getByRole('button', { name: 'Show 500 more of 1,142' }).waitFor()
      }
    }
  })

  it('is the same in the log, and the screen of the flag describes the strategy alike', async () => {
    await host.changeFlags(...edits)
    const page = await browser.visit(host.as('ben', '/log?type=feature-strategy-update'))
    const event = (name: string) =>
      page.getByRole('region', { name: 'Events' }).getByRole('listitem').filter({ hasText: name }).first()
    await expectText(event('ends-twice'), /: rollout 25.% → 75.% in default/)
    await expectText(event('no-percentage'), /: rollout 25.% → 175 \(not a percentage\)/)
    await expectText(event('long-list'), `: userId ${news}`)
    await event('long-list').getByRole('button').first().click()
    const after = page.getByRole('table').getByRole('cell').last()
    await expectText(after, `${news}, user-0`)
    await unfold(after)
    await expectText(after, 'user-1198')

    const screen = '/projects/default/flags/no-percentage?environment=production'
    const editor = await browser.visit(host.as('ann', screen))
    await expectText(editor.getByRole('region', { name: 'Strategies' }), /gradual rollout: 175 \(not a percentage\)/)
  })

  async function unfold(list: Locator): Promise<void> {
    const button = list.getByRole('button')
    for (let left = 1_142; left > 0; left -= 500)
      await button.filter({ hasText: `of ${left.toLocaleString('en')}` }).click()
    await button.filter({ hasText: 'Show fewer' }).waitFor()
  }
})
