const boolean = 16
const integer = 23

/** For the driver: what a column arrives as, whatever parsers the host has set. All else than these two is text. */
export const columnTypes = {
  getTypeParser: (type: number) => (text: string) => {
    if (type === boolean) return text === 't'
    return type === integer ? Number(text) : text
  },
}
