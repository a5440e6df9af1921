import type { Locator } from 'playwright-core'

/** Waits until what the locator finds has such a text. */
export async function expectText(found: Locator, text: RegExp | string): Promise<void> {
  const filled = found.filter({ hasText: text }).first()
  await filled.waitFor().catch(async () => {
    throw new Error(`${found} never said ${text}, but: ${await found.allInnerTexts()}`)
  })
}

/** Waits until the condition holds, for what no browser can be asked to wait for. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It never happened: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Only decides how long something is waited for that will never come, and so how slow a machine may be. */
export const patienceMs = 120_000
