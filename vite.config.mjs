import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'

const files = {
  name: 'files',
  // The document of the page is written for each request, so nothing in the bundle refers to its icon.
  generateBundle() {
    this.emitFile({ type: 'asset', name: 'icon.svg', source: readFileSync('src/page/app/icon.svg') })
  },
  // Each file a second and third time, so that a request costs no compression.
  writeBundle({ dir = '' }) {
    for (const name of readdirSync(join(dir, 'assets'))) {
      const file = join(dir, 'assets', name)
      const body = readFileSync(file)
      writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }))
      writeFileSync(`${file}.br`, brotliCompressSync(body))
    }
  },
}

/** The page sends no mutations, and of their cache the client only calls `clear`; without them each screen is 2 kB smaller. */
const withoutMutations = {
  name: 'without-mutations',
  load: (id) =>
    /\/query-core\/.*\/mutationCache\.js$/.test(id) ? 'export class MutationCache { clear() {} }' : undefined,
}

/** What is loaded together is in one file, which compresses better than one for each module. What is loaded later is not. */
const groups = [
  {
    name: 'shared',
    test: /^(?!.*\/(?:screens\/|authoring|follow-ups|diff\/lib|local-time|moments|chip|inline-form|changes\/(?:compare|json)|marks\/because|freezes|reviews\/voids|words\/(?:because|follows)))/,
    minShareCount: 3,
  },
  // What most change requests do not show.
  {
    name: 'unusual',
    test: /\/(?:screens\/request\/(?:checks|closed|custom-fields|follows|notices|objections|overwrite)|words\/objections)/,
  },
  {
    name: 'request',
    test: /\/(?:screens\/request\/(?!decision-words|dialogs|large-changes|next-request|printed)|words\/(?:events|links|unlogged-steps|content\/(?:entries|since|whole)))/,
  },
  { name: 'walking', test: /\/(?:reviews\/(?:follow-ups|walk)|words\/(?:checks|custom-fields))/ },
  { name: 'compared', test: /\/(?:diff\/lib|changes\/(?:compare|differences|json))/ },
  {
    name: 'log',
    test: /\/(?:virtual-core|screens\/log)\/(?!plot\/log-|event\/(?:event-body|applied-rows)|export\/save|search\/filter-form)/,
  },
  { name: 'now', test: /\/screens\/(?:now\/|flag\/switch-off)/ },
  {
    name: 'proposal',
    test: /\/screens\/(?:change\/|flag\/(?:own-|propose\.)|authoring\/(?:edited-|save-|model\/stored-))/,
  },
  { name: 'editor', test: /\/screens\/(?:authoring|flag|segment)\/(?!fields\/(?:dependencies|others))/ },
]

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
    ...{ assetsInlineLimit: 0, cssCodeSplit: false, target: 'es2022' },
    rolldownOptions: {
      input: 'src/page/app/main.tsx',
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
  },
  plugins: [files, withoutMutations],
})
