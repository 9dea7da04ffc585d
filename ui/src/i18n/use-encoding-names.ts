import { type Encoding, encodingFacts } from '../../../src/domain/text/encodings.ts'
import { useLocale } from './use-text.tsx'

/** Names encodings, with the language, script or region that each is made for: "KOI8-R (Russian)". */
export function useEncodingNames(): (encoding: Encoding) => string {
  const locale = useLocale()
  return (encoding) => {
    const { name, madeFor } = encodingFacts(encoding)
    if (madeFor === undefined) return name
    const { type, code } = madeFor
    // Browsers name no regions of several countries.
    const made = new Intl.DisplayNames(locale, { type, fallback: 'none' }).of(code)
    return made === undefined ? name : `${name} (${made})`
  }
}
