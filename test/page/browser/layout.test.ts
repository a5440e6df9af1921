import type { Page } from 'playwright-core'
import { useBrowser } from '../support/browser'
import { requestPath } from '../support/request-screen'
import { openScreen, screens } from '../support/screens'
import { roll, type Showcase, startShowcase } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

/**
 * What can be pressed and is lower or narrower than 24 px, in the tools than 40 px. Without links in a line of text, and those
 * whose row can be pressed. Of a checkbox, its label can be pressed.
 */
const tooSmall = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.vh, .skip, [inert]'))
  .filter((one) => getComputedStyle(one).display !== 'inline' && getComputedStyle(one, '::after').position !== 'absolute')
  .map((one) => ({ one, box: (one.closest('label') ?? one).getBoundingClientRect(), least: one.closest('.tools') ? 40 : 24 }))
  .filter(({ box, least }) => box.width > 1 && (box.width < 24 || box.height < least))
  .map(({ one, box }) => one.outerHTML.slice(0, 80) + ' ' + Math.round(box.width) + 'x' + Math.round(box.height))`

/**
 * Lines of text that overlap, or that are next to each other in two blocks without a space. Not what is only
 * read out, and not what is below an open menu or scrolled below a bar.
 */
const overlaps = `(() => {
  const layerOf = (one) => one === null || one.matches('dialog, .menu-list') || ['fixed', 'sticky'].includes(getComputedStyle(one).position)
    ? one
    : layerOf(one.parentElement)
  const blockOf = (one) => getComputedStyle(one).display.startsWith('inline') ? blockOf(one.parentElement) : one
  const visible = (box, one) => {
    let { left, top, right, bottom } = box
    for (let at = one; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue
      const clip = at.getBoundingClientRect()
      ;[left, top] = [Math.max(left, clip.left), Math.max(top, clip.top)]
      ;[right, bottom] = [Math.min(right, clip.right), Math.min(bottom, clip.bottom)]
    }
    return { left, top, right, bottom }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const { currentNode } = walker
    const parent = currentNode.parentElement
    if (currentNode.textContent.trim() === '' || parent.closest('option, .skip')) continue
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) continue
    const range = document.createRange()
    range.selectNodeContents(currentNode)
    for (const line of range.getClientRects()) {
      const box = visible(line, parent)
      if (box.right - box.left > 1 && box.bottom - box.top > 1)
        found.push({ currentNode, box, layer: layerOf(parent), block: blockOf(parent) })
    }
  }
  const over = ({ box: one, block }, { box: other, block: next }) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > (block === next ? 1 : -2) &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 5
  const text = ({ currentNode }) => currentNode.textContent.trim().slice(0, 40)
  return found.flatMap((one, at) => found.slice(at + 1)
    .filter((other) => one.currentNode !== other.currentNode && !text(other).startsWith('·') && one.layer === other.layer && over(one, other))
    .map((other) => text(one) + ' | ' + text(other)))
})()`

describe('on a screen of 320 px', () => {
  it('no text overlaps another one', async () => {
    const page = await browser.visit({ ...showcase.host.as('ben'), viewport: { width: 320, height: 800 } })
    const found: Record<string, string[]> = {}
    for (const screen of screens.filter(([name]) => name !== 'keys')) {
      await openScreen(page, showcase, screen)
      // The log measures its rows after they are rendered.
      await page.evaluate('new Promise((rendered) => requestAnimationFrame(() => requestAnimationFrame(rendered)))')
      const lines = await page.evaluate<string[]>(overlaps)
      if (lines.length > 0) found[screen[0]] = lines
    }
    expect(found).toEqual({})
  })
})

/** Live regions without text that take room, or a gap between their neighbours. */
const roomOfNothing = `[...document.querySelectorAll('[role="status"], [aria-live]')]
  .filter((one) => one.textContent === '' && !one.querySelector('svg') && !one.closest('.vh'))
  .filter((one) => one.offsetHeight > 0 || getComputedStyle(one).position === 'static')
  .map((one) => one.outerHTML)`

describe('a live region that says nothing', () => {
  it.each(['inbox', 'draft', 'overwrite', 'reject', 'flag', 'propose an edit'])('takes no room: %s', async (name) => {
    const page = await browser.visit(showcase.host.as('ben'))
    const screen = screens.find(([one]) => one === name)
    if (screen === undefined) throw new Error(name)
    await openScreen(page, showcase, screen)
    expect(await page.evaluate<string[]>(roomOfNothing)).toEqual([])
  })
})

describe('production', () => {
  it('is a block on the head of a screen, a word in a list', async () => {
    const page = await browser.visit(showcase.host.as('ben'))
    const blocks: Record<string, number> = {}
    const shown = ['inbox, all', 'log', 'settings', 'flag', 'request']
    for (const screen of screens.filter(([name]) => shown.includes(name))) {
      await openScreen(page, showcase, screen)
      blocks[screen[0]] = await page.locator('.env').filter({ visible: true }).count()
    }
    expect(blocks).toEqual({ 'inbox, all': 0, log: 0, settings: 0, flag: 1, request: 1 })
  })
})

describe('what cannot be undone', () => {
  it.each(['reject', 'cancel', 'discard', 'discard a change', 'switch off', 'in emergency'])(
    'ends in a red button, and begins with a quiet one: %s',
    async (name) => {
      const page = await browser.visit(showcase.host.as('ben'))
      const screen = screens.find(([one]) => one === name)
      if (screen === undefined) throw new Error(name)
      await openScreen(page, showcase, screen)
      expect(await page.locator('.btn.danger').count()).toBe(1)
      expect(await page.locator('.dlg-foot .btn').last().getAttribute('class')).toContain('danger')
    },
  )
})

const dialogs = [
  'keys',
  'reject',
  'acknowledge',
  'schedule',
  'in emergency',
  'revert',
  'cancel',
  'discard',
  'discard a change',
  'switch off',
]

async function openKeys(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
}

describe('a dialog at 400 % zoom', () => {
  it('never hides the focused element behind its buttons', async () => {
    const page = await browser.visit({ ...showcase.host.as('ben'), viewport: { width: 320, height: 256 } })
    const hidden: Record<string, string[]> = {}
    for (const screen of screens.filter(([name]) => dialogs.includes(name))) {
      const [name] = screen
      // Narrow screens have no button for the keys.
      await openScreen(page, showcase, screen, name === 'keys' ? openKeys : undefined)
      const controls = await page.getByRole('dialog').locator('input, textarea, select, button, a').count()
      expect(controls).toBeGreaterThan(0)
      for (let step = 0; step < controls; step += 1) {
        await page.keyboard.press('Tab')
        const covered = await page.evaluate<string[]>(coveredFocus)
        if (covered.length > 0) hidden[name] = [...(hidden[name] ?? []), ...covered]
      }
    }
    expect(hidden).toEqual({})
  })
})

/** The focused element, if it is behind the buttons of the dialog or outside its visible part. */
const coveredFocus = `(() => {
  const focused = document.activeElement
  const foot = focused.parentElement?.closest('dialog')?.querySelector('.dlg-foot')
  if (!foot || foot.contains(focused)) return []
  const [own, over] = [focused.getBoundingClientRect(), foot.getBoundingClientRect()]
  return own.bottom > over.top && own.top < over.bottom ? [focused.outerHTML.slice(0, 80)] : []
})()`

describe('on a phone', () => {
  it.each([
    ['the inbox', () => '/', 'Cards for many'],
    ['a change request', () => requestPath(showcase.review), 'Requirements'],
    ['the log', () => '/log', 'requested a review'],
    ['the settings', () => '/settings?project=default', 'Approvals needed'],
  ])('controls are large enough: %s', async (_, path, text) => {
    const page = await browser.visit({ ...showcase.host.as('dan', path()), viewport: { width: 390, height: 844 } })
    await until(async () => ((await page.getByRole('main').textContent()) ?? '').includes(text), 'it is shown')
    expect(await page.evaluate<string[]>(tooSmall)).toEqual([])
  })
})

/** Where the title is in the window; the texts below it change with time. */
const topOfTitle = (page: Page) =>
  page.evaluate<number>(`document.querySelector('main h1').getBoundingClientRect().top`)

describe('a bar that appears and disappears', () => {
  it.each([
    [1280, 700, 0],
    [1280, 1600, 0],
    [1280, 700, 200],
    [390, 700, 200],
  ])('moves nothing on a screen of %i × %i px, scrolled by %i px', async (width, height, scrolled) => {
    const place = showcase.host.as('dan', requestPath(showcase.review))
    const page = await browser.visit({ ...place, viewport: { width, height } })
    await page.getByText('Requirements').first().waitFor()
    await page.evaluate(`window.scrollTo(0, ${scrolled})`)
    const top = () => topOfTitle(page)
    const bar = page.getByText('No network').first()
    const before = await top()
    await page.context().setOffline(true)
    await bar.waitFor()
    expect(await top()).toBe(before)
    await page.context().setOffline(false)
    await bar.waitFor({ state: 'detached' })
    expect(await top()).toBe(before)
  })

  it.each([
    [1280, 1600],
    [390, 1600],
  ])('leaves no room to scroll on a short screen of %i × %i px', async (width, height) => {
    const page = await browser.visit({ ...showcase.host.as('ben', '/no/such/place'), viewport: { width, height } })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(height)
  })

  it.each([
    [1280, 800, '20'],
    [1280, 1600, '30'],
    [390, 800, '40'],
  ])('says on a screen of %i × %i px what another user edits, and moves nothing', async (width, height, rollout) => {
    const { host, review } = showcase
    const path = requestPath(review)
    const page = await browser.visit({ ...host.as('ben', path), viewport: { width, height } })
    await page.getByText('Requirements').first().waitFor()
    await expectText(page.getByRole('banner'), 'Live')
    const before = await topOfTitle(page)
    const { features } = await host.call<{ features: { changes: { id: number }[] }[] }>('ann', 'GET', path)
    const id = features[0]?.changes[1]?.id
    await host.call('ann', 'PUT', `${path}/changes/${id}`, roll('pay-by-card', 'pay-by-card-few', rollout))
    await page.getByText('changed the content while you looked').first().waitFor()
    expect(await topOfTitle(page)).toBe(before)
  })
})

/** The boxes of the texts of selected, clickable and highlighted elements, clipped to the window. */
const boxes = `[...document.querySelectorAll(
  '[aria-current], [aria-pressed], [role="switch"], .btn, .chip, .mark, .pill, .state, .env, .av, .count, .notice *, .val, .sw')]
  .flatMap((one) => [...one.childNodes].filter(({ nodeType, data }) => nodeType === 3 && data.trim() !== '').map((text) => ({ one, text })))
  .filter(({ one }) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && !one.closest('.vh, .skip') && (document.querySelector('dialog[open]')?.contains(one) ?? true))
  .map(({ one, text }) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    const { x, y, width, height } = range.getBoundingClientRect()
    return { name: one.outerHTML.slice(0, 60) + ' ' + text.data, x, y, width, height }
  })
  .filter(({ x, y, width, height }) => width > 1 && y >= 60 && x >= 0 && x + width <= innerWidth && y + height <= innerHeight)`

interface Box {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Browser globals that Node does not have. */
interface Drawing {
  createImageBitmap(picture: Blob): Promise<{ readonly width: number; readonly height: number }>
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: '2d'): {
      drawImage(picture: unknown, x: number, y: number): void
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray }
    }
  }
}

/** The contrast between the darkest and the brightest pixel of each box of the picture. Runs in an empty page. */
async function contrasts({ png, boxes }: { png: string; boxes: readonly Box[] }): Promise<number[]> {
  const bytes = Uint8Array.from(atob(png), (char) => char.charCodeAt(0))
  const { createImageBitmap, OffscreenCanvas, Blob } = globalThis as unknown as typeof globalThis & Drawing
  const picture = await createImageBitmap(new Blob([bytes]))
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  const linear = (value: number) => (value / 255 <= 0.04045 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  return boxes.map(({ x, y, width, height }) => {
    const { data } = canvas.getImageData(x, y, width, height)
    let [dark, bright] = [1, 0]
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = [...data.subarray(at, at + 3)].map(linear)
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      ;[dark, bright] = [Math.min(dark, light), Math.max(bright, light)]
    }
    return (bright + 0.05) / (dark + 0.05)
  })
}

describe('in forced colours', () => {
  it.each(['light', 'dark'] as const)('every text is readable, also selected ones: %s', async (colorScheme) => {
    const place = { ...showcase.host.as('ben'), forcedColors: 'active' as const, colorScheme }
    const page = await browser.visit({ ...place, viewport: { width: 1280, height: 1600 } })
    const reader = await page.context().newPage()
    const shown = ['inbox, all', 'log', 'settings', 'request', 'overwrite', 'schedule']
    const unreadable: string[] = []
    for (const screen of screens.filter(([name]) => shown.includes(name))) {
      await openScreen(page, showcase, screen)
      const found = await page.evaluate<Box[]>(boxes)
      expect(found.length).toBeGreaterThan(0)
      const png = (await page.screenshot()).toString('base64')
      const measured = await reader.evaluate(contrasts, { png, boxes: found })
      unreadable.push(
        ...found.filter((_, index) => (measured[index] ?? 0) < 3).map(({ name }) => `${screen[0]}: ${name}`),
      )
    }
    expect(unreadable).toEqual([])
  })

  const style = (page: Page, selector: string, property: string, pseudo = '') =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(pseudo)}).${property}`,
    )
  const colour = (page: Page, selector: string, pseudo = '') => style(page, selector, 'backgroundColor', pseudo)

  it('show the selected tab and the knob of a switch', async () => {
    const page = await browser.visit(showcase.host.as('cara'))
    await page.emulateMedia({ forcedColors: 'active' })
    await page.getByRole('link', { name: /^All/ }).waitFor()
    expect(await colour(page, '.tabs [aria-current]')).not.toBe(await colour(page, '.tabs a:not([aria-current])'))
    expect(await colour(page, '.nav [aria-current]', '::after')).not.toBe(await colour(page, '.top'))
    await page.goto(showcase.host.url('/settings?project=default'))
    await page.getByRole('switch').first().waitFor()
    expect(await style(page, '.knob', 'backgroundImage')).toContain(await style(page, 'body', 'color'))
  })
})
