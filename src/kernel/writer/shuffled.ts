/** In random order, so that concurrent processes rarely try the same item. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const all = [...items]
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1))
    ;[all[index], all[other]] = [all[other] as Item, all[index] as Item]
  }
  return all
}
