import type { Locator, Page } from 'playwright-core'

/** The screen of a change request, by what people see of it. */
export function requestScreen(page: Page) {
  const main = page.getByRole('main')
  return {
    main,
    state: page.getByRole('list', { name: 'State' }).locator('[aria-current=step]'),
    comment: page.getByRole('textbox', { name: /^Comment with it/ }),
    say: page.getByRole('textbox', { name: 'Comment', exact: true }),
    dialog: page.getByRole('dialog'),
    button: (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name }),
  }
}

export const requestPath = (id: number) => `/projects/default/change-requests/${id}`

/** Whether a control is off; it stays where it is, and says what is missing. */
export async function isOff(control: Locator): Promise<boolean> {
  return (await control.getAttribute('aria-disabled')) === 'true'
}

/** Waits until a control is off, or on. */
export async function expectOff(control: Locator, off = true): Promise<void> {
  await control.and(control.page().locator(off ? '[aria-disabled=true]' : ':not([aria-disabled=true])')).waitFor()
}

/** What a control that is off says is missing. */
export async function reasonOf(control: Locator): Promise<string> {
  const ids = (await control.getAttribute('aria-describedby')) ?? ''
  const texts = ids.split(' ').map((id) => control.page().locator(`[id="${id}"]`).textContent())
  return (await Promise.all(texts)).join(' ')
}
