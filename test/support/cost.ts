/** Eight times the size is eight times the work where that is linear, and 64 times where it is quadratic. */
const times = 8
const rounds = 7

/** Between the two, and far from both. */
export const linear = 24

/**
 * How much more processor time the work takes for eight times the size. A ratio within one run, of time that this
 * process alone has used: it is the same on a slow machine and on one that has much else to do.
 */
export function growth(prepare: (size: number) => () => unknown, size: number): number {
  const [small, large] = [prepare(size), prepare(times * size)]
  let repeats = 1
  // Often enough to be measured, and until it runs as fast as it ever will.
  while (spent(small, repeats) < 4_000) repeats *= 2
  return median(Array.from({ length: rounds }, () => spent(large, repeats) / spent(small, repeats)))
}

/** In microseconds. */
function spent(work: () => unknown, repeats: number): number {
  const before = process.cpuUsage()
  for (let repeat = 0; repeat < repeats; repeat += 1) work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] as number
}

/** The same value, and how often something was read of it or of what it holds: a property, or a name of one. */
export function counted<Value>(value: Value): { readonly value: Value; readonly reads: () => number } {
  let reads = 0
  const watch = <Part>(part: Part): Part => {
    if (typeof part !== 'object' || part === null) return part
    return new Proxy(part, {
      get(target, name) {
        reads += 1
        return watch(Reflect.get(target, name))
      },
      ownKeys(target) {
        const names = Reflect.ownKeys(target)
        reads += names.length
        return names
      },
    })
  }
  return { value: watch(value), reads: () => reads }
}
