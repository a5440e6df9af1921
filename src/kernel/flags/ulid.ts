import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: 10 characters of time in milliseconds, 16 of chance. */
export function ulid(now: Date): string {
  let time = now.getTime()
  let text = ''
  for (let index = 0; index < 10; index += 1) {
    text = alphabet.charAt(time % 32) + text
    time = Math.floor(time / 32)
  }
  for (const byte of randomBytes(16)) text += alphabet.charAt(byte % 32)
  return text
}
