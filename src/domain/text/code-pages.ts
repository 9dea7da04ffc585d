/**
 * The upper halves of the code pages of DOS, in which programs of Windows write the names in ZIP archives. The WHATWG Encoding
 * Standard lacks them. Source: the tables CP437.TXT, CP850.TXT and CP852.TXT of the Unicode Consortium.
 */
const UPPER_HALVES = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
} as const

export type CodePage = keyof typeof UPPER_HALVES

export function isCodePage(encoding: string): encoding is CodePage {
  return Object.hasOwn(UPPER_HALVES, encoding)
}

/** Characters made at once: more would not fit on the stack. */
const CHUNK = 8192

/** Every byte is a character. */
export function decodeCodePage(bytes: Uint8Array, page: CodePage): string {
  const upper = UPPER_HALVES[page]
  const codes = Uint16Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? byte : upper.charCodeAt(byte - 0x80)))
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK) {
    const part = Uint16Array.from(bytes.subarray(start, start + CHUNK), (byte) => codes[byte] ?? 0)
    text += String.fromCharCode(...part)
  }
  return text
}

/** Undefined if the code page lacks a character. */
export function encodeCodePage(text: string, page: CodePage): Uint8Array<ArrayBuffer> | undefined {
  const upper = UPPER_HALVES[page]
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const byte = code < 0x80 ? code : 0x80 + upper.indexOf(text.charAt(index))
    if (byte < 0x80 && code >= 0x80) return undefined
    bytes[index] = byte
  }
  return bytes
}
