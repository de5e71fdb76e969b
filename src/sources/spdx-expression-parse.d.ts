/** The package has no types of its own. */
declare module 'spdx-expression-parse' {
  interface SpdxLicence {
    license: string;
    plus?: true;
    exception?: string;
  }
  interface SpdxJoin {
    left: SpdxNode;
    conjunction: 'and' | 'or';
    right: SpdxNode;
  }
  type SpdxNode = SpdxLicence | SpdxJoin;
  /** Throws an Error on text that is no SPDX expression. */
  export default function parse(expression: string): SpdxNode;
}
