import type { Locator } from 'playwright-core'

/** Waits until an element of the locator has the text. */
export async function expectText(found: Locator, text: RegExp | string): Promise<void> {
  const filled = found.filter({ hasText: text }).first()
  await filled.waitFor().catch(async () => {
    throw new Error(`${found} never said ${text}, but: ${await found.allInnerTexts()}`)
  })
}

/** Waits until the condition holds, for conditions that a browser cannot wait for. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It never happened: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Only limits how long a failing test waits, so a slow machine passes too. */
export const patienceMs = 120_000
