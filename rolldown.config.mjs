import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'

const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'))
const published = [...Object.values(exports).map((entry) => entry.default), ...Object.values(bin)]
const names = published.flatMap((file) => /^(?:\.\/)?dist\/(.*)\.js$/.exec(file)?.[1] ?? [])

/**
 * One file for each entry point, and one for the code that the same entry points share: a host loads about 20 files instead of
 * 400, which takes a third of the time. Nothing is minified, so a stack trace names our functions.
 */
export default defineConfig({
  input: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  external: /^(?![./]|[A-Z]:|#schemas\/)/,
  output: {
    dir: 'dist',
    format: 'cjs',
    chunkFileNames: 'chunks/[name].js',
    comments: true,
    // Small files that almost every entry point loads.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'ports', test: /[/\\]src[/\\]ports[/\\]/ }],
    },
  },
})
