import createDOMPurify from 'dompurify'

export interface HarmlessDocument {
  readonly html: string
  readonly css: string
}

/** Attributes of our own that say what a document looks like. */
const KEPT = ['colspan', 'rowspan', 'start', 'target', 'rel']

/**
 * Makes a document safe for a frame without scripts: no scripts, forms or frames of its own, and links that open in a new tab.
 * Its styles become a style sheet, because the content security policy allows no `style` attributes.
 *
 * @param root of a document without a window, which has loaded nothing
 */
export function sanitiseDocument(root: HTMLElement): HarmlessDocument {
  const sheets: string[] = []
  for (const element of root.querySelectorAll('style')) {
    sheets.push(element.textContent)
    element.remove()
  }
  const classes = new Map<string, string>()
  for (const element of root.querySelectorAll('[style]')) {
    const style = element.getAttribute('style') ?? ''
    const name = classes.get(style) ?? `s${classes.size}`
    classes.set(style, name)
    element.removeAttribute('style')
    element.classList.add(name)
  }
  const purify = createDOMPurify(window)
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element.localName !== 'a') return
    const address = element.getAttribute('href') ?? ''
    if (address.startsWith('#')) return
    if (!/^(https?:|mailto:)/i.test(address)) return element.removeAttribute('href')
    element.setAttribute('target', '_blank')
    element.setAttribute('rel', 'noopener noreferrer')
  })
  const html = purify.sanitize(root.innerHTML, {
    USE_PROFILES: { html: true, svg: true, mathMl: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'audio', 'video', 'dialog', 'map'],
    ADD_ATTR: KEPT,
    ALLOW_DATA_ATTR: false,
  })
  const own = Array.from(classes, ([style, name]) => `.${name} { ${style} }`)
  return { html, css: `@layer document { ${sheets.join('\n')} }\n${own.join('\n')}` }
}
