/** The positions of a term in a block, as a bitmap of 32-bit words. */
export type Bitmap = Uint32Array

export function emptyBitmap(blockSize: number): Bitmap {
  return new Uint32Array(blockSize / 32)
}

export function addPosition(bitmap: Bitmap, position: number): void {
  bitmap[position >>> 5] = (bitmap[position >>> 5] ?? 0) | (1 << (position & 31))
}

/** Uses the shorter of two encodings: two bytes per position, or the bitmap. */
export function encodePositions(bitmap: Bitmap): Buffer {
  const count = countPositions(bitmap)
  const bytes = Buffer.alloc(Math.min(count * 2, bitmap.byteLength))
  let offset = 0
  if (count * 2 < bitmap.byteLength) {
    for (const position of positionsOf(bitmap)) offset = bytes.writeUInt16LE(position, offset)
  } else {
    for (const word of bitmap) offset = bytes.writeUInt32LE(word, offset)
  }
  return bytes
}

/** Adds encoded positions to a bitmap. */
export function addEncoded(bitmap: Bitmap, bytes: Uint8Array): void {
  const at = (index: number) => bytes[index] ?? 0
  if (bytes.byteLength < bitmap.byteLength) {
    for (let index = 0; index < bytes.byteLength; index += 2) addPosition(bitmap, at(index) | (at(index + 1) << 8))
    return
  }
  for (let word = 0, index = 0; word < bitmap.length; word += 1, index += 4) {
    const bits = at(index) | (at(index + 1) << 8) | (at(index + 2) << 16) | (at(index + 3) << 24)
    bitmap[word] = (bitmap[word] ?? 0) | bits
  }
}

/** Keeps only the positions that are also in `other`. */
export function intersect(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < bitmap.length; word += 1) bitmap[word] = (bitmap[word] ?? 0) & (other[word] ?? 0)
}

export function filterPositions(bitmap: Bitmap, keep: (position: number) => boolean): void {
  for (const position of positionsOf(bitmap)) {
    if (!keep(position)) bitmap[position >>> 5] = (bitmap[position >>> 5] ?? 0) & ~(1 << (position & 31))
  }
}

export function countPositions(bitmap: Bitmap): number {
  let count = 0
  for (let word = 0; word < bitmap.length; word += 1) {
    let bits = bitmap[word] ?? 0
    bits -= (bits >>> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}

/** In ascending order. */
export function positionsOf(bitmap: Bitmap): number[] {
  const positions: number[] = []
  for (let word = 0; word < bitmap.length; word += 1) {
    for (let bits = bitmap[word] ?? 0; bits !== 0; bits &= bits - 1) {
      positions.push(word * 32 + 31 - Math.clz32(bits & -bits))
    }
  }
  return positions
}
