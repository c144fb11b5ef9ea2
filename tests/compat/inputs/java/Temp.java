// SPDX-License-Identifier: MIT
import java.io.File;

public class Temp {
	public static void main(String[] args) throws Exception {
		System.out.println(File.createTempFile("compat", null).delete());
	}
}
