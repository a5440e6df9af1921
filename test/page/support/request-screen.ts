import type { Locator, Page } from 'playwright-core'

/** The screen of a change request, by visible labels. */
export function requestScreen(page: Page) {
  const main = page.getByRole('main')
  return {
    main,
    state: page.getByRole('list', { name: 'State' }).locator('[aria-current=step]'),
    comment: page.getByRole('textbox', { name: /^Comment with it/ }),
    say: page.getByRole('textbox', { name: 'Comment', exact: true }),
    dialog: page.getByRole('dialog'),
    otherSteps: page.locator('summary', { hasText: 'Other steps' }),
    button: (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name }),
  }
}

export const requestPath = (id: number) => `/projects/default/change-requests/${id}`

/** Whether a control is disabled; it stays visible and describes what is missing. */
export async function isOff(control: Locator): Promise<boolean> {
  return (await control.getAttribute('aria-disabled')) === 'true'
}

/** Waits until a control is disabled, or enabled. */
export async function expectOff(control: Locator, off = true): Promise<void> {
  await control.and(control.page().locator(off ? '[aria-disabled=true]' : ':not([aria-disabled=true])')).waitFor()
}

/** The description of a disabled control: what is missing. */
export async function reasonOf(control: Locator): Promise<string> {
  const ids = (await control.getAttribute('aria-describedby')) ?? ''
  const texts = ids.split(' ').map((id) => control.page().locator(`[id="${id}"]`).textContent())
  return (await Promise.all(texts)).join(' ')
}
