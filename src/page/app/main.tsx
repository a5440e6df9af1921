import './style/tokens.css'
import './style/page.css'
import './style/controls.css'
import './style/marks.css'
import { render } from 'preact'
import { App } from './app'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)

// biome-ignore lint/complexity/noUselessEmptyExport: in a package of type "commonjs", the bundler takes what exports nothing for CommonJS, and wraps all that it imports
export {}
