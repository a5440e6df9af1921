import { isDeepStrictEqual } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { expectFocus, type Hand, hands } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

afterEach(() => host.close())

interface Change {
  readonly action: string
  readonly payload?: unknown
}

/** The screen of the flag new-search, with what it asked to preview last. */
async function openFlag(
  options: Parameters<typeof startHost>[0] = {},
  ...changes: Parameters<PageHost['changeFlags']>
) {
  host = await startHost(options)
  await host.changeFlags(...changes)
  const page = await browser.visit(host.as('ann', '/projects/default/flags/new-search?environment=production'))
  let previewed: readonly Change[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/preview')) previewed = JSON.parse(request.postData() ?? '{}').changes
  })
  await page.getByRole('heading', { name: 'Strategies' }).waitFor()
  return {
    page,
    field: (name: string, within: Page | Locator = page) => within.getByLabel(name, { exact: true }),
    button: (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name }),
    strategy: (name: RegExp) => page.getByRole('group', { name }),
    async expectPreviewed(expected: readonly Change[]) {
      const own = () => previewed.map(({ action, payload }) => ({ action, ...(payload !== undefined && { payload }) }))
      await until(() => isDeepStrictEqual(own(), expected), `it previews ${JSON.stringify(expected)}`).catch(() => {
        expect(own()).toEqual(expected)
      })
    },
  }
}

const feature = 'new-search'
const rich = [
  {
    action: 'updateStrategy',
    feature,
    payload: {
      id: 'new-search-beta',
      title: 'Testers',
      constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
    },
  },
  { action: 'addStrategy', feature, payload: { name: 'moonPhase', constraints: [], parameters: { phase: 'full' } } },
  { action: 'addDependency', feature, payload: { feature: 'checkout', enabled: true } },
  { action: 'addDependency', feature, payload: { feature: 'dark-mode', enabled: true } },
] as const

/** Pastes a text into a field. */
async function paste(hand: Hand, field: Locator, text: string): Promise<void> {
  await hand.write(field, '')
  await field.evaluate((element, pasted) => {
    const { DataTransfer, ClipboardEvent } = element.ownerDocument.defaultView as never as Record<string, never>
    const clipboardData = new (DataTransfer as never as new () => { setData(type: string, text: string): void })()
    clipboardData.setData('text', pasted)
    const Paste = ClipboardEvent as never as new (type: string, init: object) => Event
    element.dispatchEvent(new Paste('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

describe('the fields of a flag', () => {
  it.each(hands)('are edited $name, and nothing else is previewed', async (hand) => {
    const { page, field, button, strategy, expectPreviewed } = await openFlag({}, ...rich)
    const { id } = (await host.current(feature))?.strategies?.find(({ name }) => name === 'moonPhase') ?? { id: '' }
    const testers = strategy(/Testers/)
    await paste(hand, field('Values of country', testers), 'FI,"DK"\nSE\n')
    await expectText(testers, '2 values were added, 1 duplicate was left out.')
    await hand.press(button('Remove NO', testers))
    await hand.press(button('Remove segment Beta testers', testers))
    const few = strategy(/Gradual rollout/)
    await hand.write(field('Rollout', few), '45')
    await hand.press(button('Add a segment', few))
    await hand.write(field('Name of the segment', few), 'bet')
    await page.locator('datalist option[value="Beta testers"]').waitFor({ state: 'attached' })
    await page.keyboard.type('a testers')
    await field('Name of the segment', few).fill('Beta testers')
    await button('Remove segment Beta testers', few).waitFor()
    const own = strategy(/moonPhase/)
    await field('Phase', own).fill('new')
    await hand.press(page.getByRole('switch', { name: 'In use: moonPhase' }))
    await hand.press(page.locator('summary', { hasText: 'Add a strategy' }))
    await hand.press(button('Standard'))
    await hand.write(field('Share of list'), '33.3')
    await field('Payload of list').selectOption('json')
    await hand.write(field('Value of the payload of list'), '{"a":1')
    await expectText(page.getByRole('main'), 'This is not JSON yet.')
    await page.keyboard.type('}')
    await hand.press(button('Remove checkout'))
    await field('dark-mode').selectOption('off')
    await hand.press(page.getByRole('switch', { name: 'Flag in production' }))
    const variant = { weightType: 'variable', stickiness: 'default' }
    await expectPreviewed([
      { action: 'updateEnabled', payload: { enabled: false } },
      {
        action: 'updateStrategy',
        payload: {
          id: 'new-search-beta',
          constraints: [{ contextName: 'country', operator: 'IN', values: ['SE', 'FI', 'DK'] }],
          segments: [],
        },
      },
      {
        action: 'updateStrategy',
        payload: {
          id: 'new-search-few',
          parameters: { rollout: '45', stickiness: 'default', groupId: 'demo' },
          segments: [1],
        },
      },
      { action: 'updateStrategy', payload: { id, disabled: true, parameters: { phase: 'new' } } },
      { action: 'addStrategy', payload: { name: 'default', constraints: [], parameters: {}, sortOrder: 3 } },
      {
        action: 'patchVariant',
        payload: {
          variants: [
            { name: 'list', weight: 333, ...variant, payload: { type: 'json', value: '{"a":1}' } },
            { name: 'grid', weight: 667, ...variant },
          ],
        },
      },
      { action: 'deleteDependency', payload: { feature: 'checkout' } },
      { action: 'addDependency', payload: { feature: 'dark-mode', enabled: false } },
    ])
  })

  it.each(hands)('move, remove, restore and duplicate strategies $name, without losing the focus', async (hand) => {
    const { page, field, button, strategy, expectPreviewed } = await openFlag()
    await hand.write(field('Rollout', strategy(/1\. Gradual/)), '80')
    await page.keyboard.press('Alt+ArrowDown')
    await expectText(page.getByRole('status'), 'moved to place 2 of 2')
    await expectFocus(field('Rollout', strategy(/2\. Gradual/)))
    const parameters = { rollout: '80', stickiness: 'default', groupId: 'demo' }
    const updated = { action: 'updateStrategy', payload: { id: 'new-search-beta', parameters } }
    const order = [
      { id: 'new-search-few', sortOrder: 0 },
      { id: 'new-search-beta', sortOrder: 1 },
    ]
    await expectPreviewed([updated, { action: 'reorderStrategy', payload: order }])
    await hand.press(button('Move Gradual rollout up', strategy(/2\. Gradual/)))
    await expectPreviewed([updated])
    await hand.press(button('Remove Gradual rollout', strategy(/1\. Gradual/)))
    await expectFocus(button('Restore Gradual rollout'))
    await expectPreviewed([{ action: 'deleteStrategy', payload: { id: 'new-search-beta' } }])
    await page.keyboard.press('Enter')
    await hand.press(button('Duplicate Gradual rollout', strategy(/2\. Gradual/)))
    await strategy(/3\. Gradual rollout.*new/).waitFor()
    const copy = { name: 'flexibleRollout', parameters: { ...parameters, rollout: '5' } }
    await until(async () => (await page.getByRole('group', { name: /Gradual/ }).count()) === 3, 'there are three')
    await expectPreviewed([
      {
        action: 'addStrategy',
        payload: { disabled: false, constraints: [], segments: [], variants: [], ...copy, sortOrder: 2 },
      },
    ])
  })

  it('show what they were, with an undo, and keep no number that is none', async () => {
    const { field, button, strategy } = await openFlag()
    const few = strategy(/2\. Gradual/)
    await field('Rollout', few).fill('45')
    await button(/^Undo rollout, was 5.%/).click()
    await expectFocus(few.getByLabel('Rollout, as a slider'))
    await few.getByText(/^was/).waitFor({ state: 'detached' })
    await field('Rollout', few).fill('101')
    await expectText(few, 'A whole number from 0 to 100.')
    await field('Rollout', few).blur()
    expect(await field('Rollout', few).inputValue()).toBe('5')
  })

  it('offer to activate disabled strategies, and explain archiving', async () => {
    const off = {
      action: 'updateStrategy',
      feature,
      payload: { id: 'new-search-beta', title: 'Testers', disabled: true },
    }
    const { page, button, expectPreviewed } = await openFlag(
      {},
      { action: 'updateEnabled', feature, payload: { enabled: false } },
      off,
      { ...off, payload: { id: 'new-search-few', disabled: true } },
    )
    await page.getByRole('switch', { name: 'Flag in production' }).click()
    await page.getByRole('group', { name: /All strategies .* switched off: “Testers” and “Gradual rollout”/ }).waitFor()
    await page.getByRole('radio', { name: 'Use them again' }).check()
    const enabled = { enabled: true, shouldActivateDisabledStrategies: true }
    await expectPreviewed([{ action: 'updateEnabled', payload: enabled }])
    await page
      .locator('summary', { hasText: /^More$/ })
      .first()
      .click()
    await button('Archive the flag').click()
    await expectText(page.getByRole('main'), 'This archives the flag in all environments')
    await expectPreviewed([{ action: 'updateEnabled', payload: enabled }, { action: 'archiveFeature' }])
    await button('Undo archiving').click()
    await expectPreviewed([{ action: 'updateEnabled', payload: enabled }])
  })

  it('write other changes by the form of their schema, with the errors of the server at their fields', async () => {
    const { page, field, button, expectPreviewed } = await openFlag()
    await page.locator('summary', { hasText: 'Add another change' }).click()
    await button('Starts a release plan from a template').click()
    await expectFocus(field('Template id'))
    await expectText(page.locator('.other-change .error'), /required/)
    await page.keyboard.type('careful-rollout')
    await expectPreviewed([{ action: 'addReleasePlan', payload: { templateId: 'careful-rollout' } }])
    await button('Remove Starts a release plan').click()
    await expectText(page.getByRole('main'), 'Nothing is edited yet')
  })
})

describe('what can be edited', () => {
  it('is what the actions of the gateway and their schemas have; all else is text', async () => {
    const parameters = { type: 'object', properties: { rollout: { type: 'string' } }, additionalProperties: false }
    const payload = { type: 'object', properties: { id: { type: 'string' }, parameters }, additionalProperties: false }
    const schema = { type: 'object', properties: { action: { const: 'updateStrategy' }, feature: {}, payload } }
    const { page } = await openFlag(
      { flags: (gateway) => ({ ...gateway, actions: { updateStrategy: { ...schema, required: ['feature'] } } }) },
      ...rich,
    )
    const labels = page.locator('.flag-fields').locator('input, select, textarea, button')
    const names = await labels.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.labels?.[0]?.textContent))
    expect(names).toEqual(Array(2).fill(['Rollout, as a slider', 'Rollout']).flat())
    await expectText(page.getByRole('main'), /In the segment/)
  })
})
