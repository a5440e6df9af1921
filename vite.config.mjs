import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import { defineConfig } from 'vite'

/**
 * What is loaded first: all but the screens, which are loaded when they are opened, and what one of them alone needs.
 * The inbox loads the screen of a change request for what became of a closed one.
 */
const first =
  /\/node_modules\/|\/src\/client\/(?!event-export|authoring-calls)|\/src\/page\/(?!app\/(?:screens\/[a-z-]+\/|parts\/(?:lists\/(?:virtual|compare)|comparisons|marks\/requirement|controls\/comment-field)|reviews\/closed|words\/(?:content\/|events|waits)))/

const compressible = /\.(?:js|css|svg)$/

/** Writes each file a second and third time, as gzip and as brotli: a request then costs no compression. */
const compressed = {
  name: 'compressed',
  /** @param {{ dir?: string }} options */
  async writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets')
    for (const name of readdirSync(assets).filter((name) => compressible.test(name))) {
      const file = join(assets, name)
      const body = readFileSync(file)
      // 4 % smaller than with zlib, and read by every browser.
      writeFileSync(`${file}.gz`, await gzipAsync(body, { numiterations: 15 }))
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
      writeFileSync(`${file}.br`, brotliCompressSync(body, { params }))
    }
  },
}

/** Custom properties of the stylesheet that docs/page.md names; hosts can set them. */
const publicTokens = /^--ecr-(?:accent(?:-fill|-fill-hover|-soft|-line)?|focus|font|mono)$/

/** Shortens the names of all other custom properties: they are 3 % of the stylesheet as gzip. */
const shortTokens = {
  name: 'short-tokens',
  enforce: 'post',
  /** @param {unknown} _ @param {Record<string, { type: string, fileName: string, source: unknown }>} bundle */
  generateBundle(_, bundle) {
    const names = new Map()
    const shorten = (name) => {
      if (publicTokens.test(name)) return name
      if (!names.has(name)) names.set(name, `--${names.size.toString(36)}`)
      return names.get(name)
    }
    for (const file of Object.values(bundle)) {
      if (file.fileName.endsWith('.css')) file.source = String(file.source).replace(/--ecr-[a-z0-9-]+/g, shorten)
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

/** A screen is a single file in addition to the main bundle, so there is nothing to preload. */
const withoutPreload = {
  name: 'without-preload',
  enforce: 'pre',
  /** @param {string} id */
  load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : undefined),
}

export default defineConfig({
  root: 'src/page/app',
  // Where the page is mounted is known with the first request only: files refer to one another by relative addresses.
  base: './',
  publicDir: false,
  cacheDir: '../../../.cache/vite',
  // Calls of `h` are shorter than those of a JSX runtime.
  oxc: {
    jsxInject: "import { h as _h, Fragment as _Fragment } from 'preact'",
    jsx: { runtime: 'classic', pragma: '_h', pragmaFrag: '_Fragment' },
  },
  build: {
    outDir: '../../../dist/page/app',
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: false,
    // A data: address would be a request that the policy forbids.
    assetsInlineLimit: 0,
    target: 'es2022',
    reportCompressedSize: false,
    // One stylesheet, and what screens share in the first file, are smaller than a part for each pair of screens.
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'src/page/app/main.tsx',
      // No property of the page has a getter with an effect.
      treeshake: { propertyReadSideEffects: false },
      output: {
        minify: { compress: { target: 'es2022', treeshake: { propertyReadSideEffects: false } } },
        codeSplitting: {
          groups: [{ name: 'main', test: first }],
        },
      },
    },
  },
  plugins: [withoutPreload, shortTokens, icon, compressed],
})
