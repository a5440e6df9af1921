/** Where the plot ends, and the counts at which it has a line. */
export interface Scale {
  readonly top: number
  readonly lines: readonly number[]
}

/** Two lines at round numbers, the upper one at or above the most. */
export function scaleFor(most: number): Scale {
  if (most <= 1) return { top: 1, lines: [1] }
  const power = 10 ** Math.floor(Math.log10(most))
  const upper = [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= most) ?? 10 * power
  return { top: upper, lines: upper % 2 === 0 ? [upper / 2, upper] : [upper] }
}

/** The height of a bar out of `height`: at least a pixel and a half for one event, so that it is seen. */
export function barHeight(total: number, { top }: Scale, height: number): number {
  return total === 0 ? 0 : Math.max(1.5, (total / top) * height)
}
