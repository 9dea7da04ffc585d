/** The reader without the formats and the tags that nobody here asks for. */
declare module 'exifr/dist/lite.esm.mjs' {
  export { default } from 'exifr'
}
