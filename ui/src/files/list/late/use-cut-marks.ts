import { useEffect } from 'react'
import { nameOf, parentOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useStore } from '../../../lib/create-store.ts'
import { useWork } from '../../actions/late-work.tsx'

/** More are not looked at one by one by anybody. */
const MOST = 2000

/** What was cut is pale until it is pasted. By a rule of style: rows come and go, and need not be drawn again for it. */
export function useCutMarks(folder: VirtualPath): void {
  const held = useStore(useWork().held)
  useEffect(() => {
    if (held?.kind !== 'move') return
    const here = held.items.filter(({ path }) => parentOf(path) === folder).slice(0, MOST)
    if (here.length === 0) return
    const sheet = new CSSStyleSheet()
    const rows = here.map(({ path }) => `[data-entry="${CSS.escape(nameOf(path))}"]`)
    sheet.replaceSync(`:is(${rows.join()}) { opacity: 0.6 }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [held, folder])
}
