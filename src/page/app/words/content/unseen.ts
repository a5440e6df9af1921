import { signOf, withSigns } from '../visible'

/** Whether a value has characters that can't be seen in one of its texts or keys. Line breaks of long texts are seen. */
export function hasUnseen(value: unknown): boolean {
  if (typeof value === 'string') return withSigns(value.replace(/\r?\n */g, 'x'), signOf).length > 1
  return typeof value === 'object' && value !== null && Object.entries(value).some((entry) => entry.some(hasUnseen))
}
