import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'

/** Writes each file a second and third time, as gzip and as brotli: a request then costs no compression. */
const compressed = {
  name: 'compressed',
  writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets')
    for (const name of readdirSync(assets).filter((name) => /\.(?:js|css|svg)$/.test(name))) {
      const file = join(assets, name)
      const body = readFileSync(file)
      writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }))
      writeFileSync(`${file}.br`, brotliCompressSync(body))
    }
  },
}

/** The icon of the page: its document is written for each request, so nothing in the bundle refers to it. */
const icon = {
  name: 'icon',
  generateBundle() {
    this.emitFile({ type: 'asset', name: 'icon.svg', source: readFileSync('src/page/app/icon.svg') })
  },
}

export default defineConfig({
  root: 'src/page/app',
  // Where the page is mounted is known with the first request only: files refer to one another by relative addresses.
  base: './',
  cacheDir: '../../../.cache/vite',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../../dist/page/app',
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // A data: address would be a request that the policy forbids.
    assetsInlineLimit: 0,
    target: 'es2022',
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/page/app/main.tsx',
      // One file for what most screens share, in place of one for each module.
      output: { codeSplitting: { groups: [{ name: 'shared', test: /^(?!.*\/screens\/)/, minShareCount: 3 }] } },
    },
  },
  plugins: [icon, compressed],
})
