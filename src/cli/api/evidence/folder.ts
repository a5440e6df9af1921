import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../../command'

/** A file that is written from its beginning to its end. */
export interface FileSink {
  write(content: string | Uint8Array): void
  close(): void
}

export interface Sink {
  create(name: string): FileSink
}

/** @throws UsageError if it exists */
export function refuseExisting(out: string): void {
  if (existsSync(out)) throw new UsageError(`--out: ${out} exists. Choose a folder that does not exist.`)
}

/** Has a temporary name until it is complete. An error, or the end of `stopped`, leaves nothing. */
export async function createFolder<Result>(
  out: string,
  { stopped }: { stopped(): Promise<unknown> },
  fill: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const target = resolve(out)
  const stop = new AbortController()
  void stopped().then(() => stop.abort(new Error('Stopped. Nothing was written.')))
  const temporary = mkdtempSync(join(dirname(target), `.${basename(target)}-`))
  try {
    const result = await fill(temporary, stop.signal)
    stop.signal.throwIfAborted()
    refuseExisting(out)
    renameSync(temporary, target)
    return result
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw stop.signal.aborted ? stop.signal.reason : error
  }
}

const blockBytes = 1 << 16

/** Writes files to the disk, until the signal aborts. */
export function folderSink(folder: string, signal?: AbortSignal): Sink {
  return {
    create(name) {
      const file = openSync(join(folder, name), 'wx')
      return inBlocks(
        (block) => {
          signal?.throwIfAborted()
          // Writes all of it, unlike writeSync.
          writeFileSync(file, block)
        },
        () => {
          fsyncSync(file)
          closeSync(file)
        },
      )
    },
  }
}

/** Where a file differs from what was written. */
export interface FileDifference {
  readonly name: string
  /** Undefined if the file does not exist. */
  readonly line: number | undefined
}

/** Compares what is written with the files of a folder, and calls `report` for each file that differs. */
export function comparingSink(folder: string, report: (difference: FileDifference) => void): Sink {
  return {
    create(name) {
      const path = join(folder, name)
      if (!existsSync(path)) {
        report({ name, line: undefined })
        return { write: () => undefined, close: () => undefined }
      }
      const file = openSync(path, 'r')
      let [position, line, isEqual] = [0, 1, true]
      const differ = (at: number) => {
        if (isEqual) report({ name, line: at })
        isEqual = false
      }
      return inBlocks(
        (block) => {
          if (!isEqual) return
          const found = Buffer.alloc(block.length)
          const length = readSync(file, found, 0, block.length, position)
          if (length < block.length || !found.equals(block)) {
            let index = 0
            while (index < length && found[index] === block[index]) index += 1
            differ(line + linesIn(block.subarray(0, index)))
          }
          position += block.length
          line += linesIn(block)
        },
        () => {
          if (statSync(path).size > position) differ(line)
          closeSync(file)
        },
      )
    },
  }
}

function linesIn(bytes: Buffer): number {
  let count = 0
  for (let index = bytes.indexOf(10); index >= 0; index = bytes.indexOf(10, index + 1)) count += 1
  return count
}

function inBlocks(flush: (block: Buffer) => void, close: () => void): FileSink {
  let [pending, size]: [Uint8Array[], number] = [[], 0]
  const flushAll = () => {
    flush(Buffer.concat(pending))
    ;[pending, size] = [[], 0]
  }
  return {
    write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      pending.push(bytes)
      size += bytes.length
      if (size >= blockBytes) flushAll()
    },
    close() {
      flushAll()
      close()
    },
  }
}

/** SHA-256 in hexadecimal digits, without loading the file. */
export function sha256Of(path: string): string {
  const [hash, block] = [createHash('sha256'), Buffer.alloc(1 << 20)]
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const length = readSync(file, block, 0, block.length, null)
      if (length === 0) return hash.digest('hex')
      hash.update(block.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
}
