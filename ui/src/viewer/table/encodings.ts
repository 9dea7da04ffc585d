/** Those that browsers can decode (WHATWG Encoding Standard), the usual ones first. */
export const ENCODINGS = [
  ...['utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'iso-8859-2', 'windows-1250', 'windows-1251', 'windows-1253'],
  ...['windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'iso-8859-3', 'iso-8859-4'],
  ...['iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14'],
  ...['iso-8859-15', 'iso-8859-16', 'koi8-r', 'koi8-u', 'macintosh', 'x-mac-cyrillic', 'ibm866', 'windows-874'],
  ...['gbk', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'euc-kr'],
] as const
