import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { peers } from "./programs.ts";

/** PEM files of a certificate and its key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** An authority of a test, in files of a folder. */
export interface Authority {
  /** The PEM file to trust. */
  readonly file: string;
  /** Makes a certificate for names as a certificate has them: `DNS:localhost`, `IP:127.0.0.1`. */
  issue(name: string, subjects: readonly string[]): Promise<CertificateFiles>;
}

/** Makes an authority with the program openssl. */
export async function createAuthority(folder: string, name: string): Promise<Authority> {
  const path = (file: string) => join(folder, file);
  const authority = { certificate: path(`${name}.pem`), key: path(`${name}.key`) };
  await openssl(["req", "-x509", "-days", "2", "-subj", `/CN=${name}`, ...newKey(authority)]);
  return {
    file: authority.certificate,
    async issue(subject, subjects) {
      const files = { certificate: path(`${subject}.pem`), key: path(`${subject}.key`) };
      const [request, extensions] = [path(`${subject}.csr`), path(`${subject}.ext`)];
      await writeFile(extensions, `basicConstraints=CA:FALSE\nsubjectAltName=${subjects.join(",")}\n`);
      await openssl(["req", "-subj", `/CN=${subject}`, ...newKey({ ...files, certificate: request })]);
      await openssl(
        ["x509", "-req", "-days", "2", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key].concat([
          "-CAcreateserial",
          "-extfile",
          extensions,
          "-out",
          files.certificate,
        ]),
      );
      return files;
    },
  };
}

function newKey({ certificate, key }: CertificateFiles): readonly string[] {
  return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", certificate];
}

async function openssl(args: readonly string[]): Promise<void> {
  await promisify(execFile)(peers.openssl ?? "openssl", args);
}
