/** Eight times the size takes eight times the work if the cost is linear, and 64 times if it is quadratic. */
const times = 8
const rounds = 7

/** Between the two, far from both. */
export const linear = 24

/**
 * How much more CPU time the work takes for eight times the size. The ratio of CPU times in one run does not depend on
 * the speed or the load of the machine.
 */
export function growth(prepare: (size: number) => () => unknown, size: number): number {
  const [small, large] = [prepare(size), prepare(times * size)]
  let repeats = 1
  // Often enough to measure it, and until the engine has optimized it.
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

/** The same value, and how often a property or a property name was read of it or of a nested value. */
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
