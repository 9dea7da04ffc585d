/**
 * Address of a worker's file beside the module that asks: ".ts" where the sources run, ".js" in a build. The compiler rewrites
 * the suffix of imports only.
 *
 * @param file without its suffix: "./storage-worker"
 * @param importer `import.meta.url` of the asking module
 */
export function workerUrl(file: string, importer: string): URL {
  const suffix = /\.[jt]s(?=$|\?)/.exec(importer)?.[0] ?? '.js'
  return new URL(`${file}${suffix}`, importer)
}
