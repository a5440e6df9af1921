/** Takes the bytes of a file as they come. */
export interface FileTarget {
  write(bytes: Uint8Array): Promise<void>
  /** The file is whole. */
  save(): Promise<void>
  /** Leaves nothing behind. */
  drop(): Promise<void>
}

interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<Writable> }>
}

interface Writable {
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}

/**
 * A file of the browser's downloads. A big one goes straight to the disk where the browser can do that, and asks for its place
 * first; call it within the press. @throws AbortError when the person chose no place
 */
export async function openFile(name: string, type: string, isBig: boolean): Promise<FileTarget> {
  const { showSaveFilePicker } = window as SavePicker
  if (!isBig || showSaveFilePicker === undefined) return inMemory(name, type)
  const handle = await showSaveFilePicker.call(window, { suggestedName: name })
  const file = await handle.createWritable()
  return { write: (bytes) => file.write(bytes), save: () => file.close(), drop: () => file.abort() }
}

function inMemory(name: string, type: string): FileTarget {
  let parts: BlobPart[] = []
  return {
    async write(bytes) {
      parts.push(bytes as BlobPart)
      // Many small pieces cost more than they hold: a Blob of them can leave the heap.
      if (parts.length > 1_000) parts = [new Blob(parts)]
    },
    async save() {
      const address = URL.createObjectURL(new Blob(parts, { type }))
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    async drop() {
      parts = []
    },
  }
}
