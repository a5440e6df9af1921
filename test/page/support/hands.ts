import type { Locator, Page } from 'playwright-core'
import { isNightly } from '../../support/nightly'
import { expectOff } from './request-screen'
import { until } from './waits'

/** How a user works with a page. */
export interface Hand {
  readonly name: string
  press(control: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
}

export const mouse: Hand = {
  name: 'by mouse',
  press: (control) => control.click(),
  async write(field, text) {
    await field.click()
    await field.pressSequentially(text)
  },
}

/** Without a pointer: only controls that Tab reaches can be pressed. */
export const keyboard: Hand = {
  name: 'by keyboard alone',
  async press(control) {
    await expectOff(control, false)
    await tabTo(control)
    await control.page().keyboard.press('Enter')
  },
  async write(field, text) {
    await tabTo(field)
    await field.page().keyboard.type(text)
  },
}

/** Both nightly; in the gate only the keyboard. */
export const hands = isNightly ? [mouse, keyboard] : [mouse]

/** Presses Tab until the control has the focus; fails after one round without it. */
export async function tabTo(control: Locator): Promise<void> {
  await control.waitFor()
  for (let steps = 0; steps < 150; steps += 1) {
    if (await hasFocus(control)) return
    await control.page().keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${control}.`)
}

export function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element.ownerDocument.activeElement === element)
}

/** Waits until the control has the focus. */
export function expectFocus(control: Locator): Promise<void> {
  return until(() => hasFocus(control), `${control} has the focus`)
}

/** Role and name of the focused element, as a screen reader announces it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement
    const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
    return (element.getAttribute('role') ?? element.tagName.toLowerCase()) + ' ' + name.trim().replace(/\\s+/g, ' ')
  })()`)
}

/** The button of the account menu in the top bar. */
export const accountMenu = (page: Page): Locator => page.locator('summary', { hasText: 'Account' })
